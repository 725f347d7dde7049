import type { Evidence, PageReport, PageWant, WantedHost } from "@treadle/protocol";

/** Maximum number of hosts kept. */
const KEPT = 20;
/** Telemetry and update checks of tools, which an app does not need. */
const CHATTER =
  /(?:^|\.)(?:telemetry|analytics|stats|metrics)\.|^registry\.(?:npmjs\.org|yarnpkg\.com)$|sentry\.io$|posthog\.com$/;

/** How programs and pages report a failed request without its address. */
const NO_ANSWER =
  /\b(?:Failed to fetch|NetworkError|Load failed|Network ?Error|fetch failed|ERR_NETWORK|egress refused|ENOTFOUND|EAI_AGAIN|ECONNREFUSED|getaddrinfo|unable to (?:connect|resolve))\b/i;
/** Errors that follow from a missing external script, whose names are undefined. */
const NO_SCRIPT =
  /\bis not defined\b|\bof undefined\b|\bis (?:undefined|not a (?:function|constructor))\b|\bundefined is not\b|dynamically imported module|importing a module script/i;
/** Errors that missing data never causes. */
const OWN_FAULT = /\b(?:ReferenceError|SyntaxError)\b|\bis not defined\b/;

/** Adds a host to those missed in the evidence, once. */
export function addWanted(evidence: Evidence, { host, why }: WantedHost): void {
  const known = (evidence.wanted ??= []);
  if (known.length < KEPT && !known.some((one) => one.host === host)) known.push({ host, why });
}

/** Hosts that the sandbox was refused, and allowed hosts that it could not reach. */
export interface Missed {
  refused: ReadonlySet<string>;
  unreached: ReadonlySet<string>;
}

/** Hosts that an app in the sandbox may have missed. */
export function missed({ refused, unreached }: Missed): WantedHost[] {
  const silentHosts = (hosts: ReadonlySet<string>, why: WantedHost["why"]) =>
    [...hosts].filter((host) => !CHATTER.test(host)).map((host) => ({ host, why }));
  return [...silentHosts(refused, "not-allowed"), ...silentHosts(unreached, "unreached")];
}

/** Text such as "wanted a.com, which this project may not reach". */
export function wantedWords(hosts: readonly WantedHost[]): string {
  const list = (why: WantedHost["why"]) => {
    const names = [...new Set(hosts.filter((one) => one.why === why).map(({ host }) => host))];
    return names.length > 3 ? `${names.slice(0, 3).join(", ")} and others` : names.join(", ");
  };
  const [refused, unreached] = [list("not-allowed"), list("unreached")];
  return [
    ...(refused ? [`wanted ${refused}, which this project may not reach`] : []),
    ...(unreached ? [`wanted ${unreached}, which cannot be reached from this machine`] : []),
  ].join("; ");
}

/**
 * Whether the output of a failure names one of these hosts, or reports an unanswered request while any host was missed.
 */
export const namesMissing = (output: string, hosts: readonly WantedHost[]) =>
  hosts.some(({ host }) => output.includes(host)) || (hosts.length > 0 && NO_ANSWER.test(output));

/** Hosts that a page cannot do without: of scripts and data, not of its styling. */
const needed = (report: PageReport) => (report.wanted ?? []).filter((one) => one.for !== "looks");

/**
 * Why a broken page proves nothing: everything wrong with it may come from unreachable hosts.
 * Undefined if something else is wrong.
 * @param sandbox hosts that the app's own server missed meanwhile
 */
export function excuseOf(
  report: PageReport,
  sandbox: Missed,
  isBroken: (report: PageReport) => boolean,
): string | undefined {
  const inside = missed(sandbox);
  const outside = needed(report);
  if (inside.length + outside.length === 0) return undefined;
  const rest = withoutWanted(report, inside.length > 0);
  return isBroken(rest) ? undefined : wantedWords([...outside, ...inside]);
}

/**
 * Hosts that the observation of a revision missed and that a later report of it, as from the
 * person's own preview, missed too. A host that answered there is no excuse.
 */
export function stillWanted(report: PageReport, looks: readonly PageReport[]): PageWant[] {
  const silent = new Set(
    report.failedRequests.flatMap(({ url, status }) =>
      status === 0 ? [URL.parse(url)?.host ?? ""] : [],
    ),
  );
  return looks.flatMap(({ wanted: wants = [] }) => wants).filter(({ host }) => silent.has(host));
}

/** The report as it might be with the missing hosts. */
function withoutWanted(report: PageReport, serverMissed: boolean): PageReport {
  const wants = needed(report);
  const script = wants.some((one) => one.for === "script");
  const data = wants.some((one) => one.for === "data");
  const follows = (text: string) =>
    (script && NO_SCRIPT.test(text)) ||
    (data && !OWN_FAULT.test(text)) ||
    (serverMissed && NO_ANSWER.test(text));
  const isUnexplained = ({ message }: { message: string }) => !follows(message);
  const hosts = new Set((report.wanted ?? []).map(({ host }) => host));
  const ofServer = (status: number) => serverMissed && status >= 500;
  const { overlay, waiting, inPlaceOfData: _, ...rest } = report;
  return {
    ...rest,
    ...(overlay === undefined || follows(overlay) ? {} : { overlay }),
    ...(waiting === undefined || wants.length > 0 || serverMissed ? {} : { waiting }),
    status: ofServer(report.status) ? 200 : report.status,
    rendered: report.rendered || wants.length > 0 || ofServer(report.status),
    uncaughtErrors: report.uncaughtErrors.filter(isUnexplained),
    consoleErrors: report.consoleErrors.filter(isUnexplained),
    failedRequests: report.failedRequests.filter(
      ({ url, status }) => !hosts.has(URL.parse(url)?.host ?? "") && !ofServer(status),
    ),
  };
}

/** The missed hosts of a page that works anyway, for its summary; empty if there are none. */
export const wantedRemark = ({ wanted: wants = [] }: PageReport): string => wantedWords(wants);
