import type { Evidence, PageReport, PageWant, WantedHost } from "@treadle/protocol";

/** Hosts that are kept. */
const KEPT = 20;
/** What tools tell their makers, and ask for news of themselves: nothing of the app is missing without it. */
const CHATTER =
  /(?:^|\.)(?:telemetry|analytics|stats|metrics)\.|^registry\.(?:npmjs\.org|yarnpkg\.com)$|sentry\.io$|posthog\.com$/;

/** How programs and pages say that a request came to nothing, without saying which. */
const NO_ANSWER =
  /\b(?:Failed to fetch|NetworkError|Load failed|Network ?Error|fetch failed|ERR_NETWORK|egress refused|ENOTFOUND|EAI_AGAIN|ECONNREFUSED|getaddrinfo|unable to (?:connect|resolve))\b/i;
/** What follows where a script of somewhere else did not come: the names that it brings are not there. */
const NO_SCRIPT =
  /\bis not defined\b|\bof undefined\b|\bis (?:undefined|not a (?:function|constructor))\b|\bundefined is not\b|dynamically imported module|importing a module script/i;
/** Never the consequence of data that did not come. */
const OWN_FAULT = /\b(?:ReferenceError|SyntaxError)\b|\bis not defined\b/;

/** Adds a host to what the evidence says was wanted, once. */
export function addWanted(evidence: Evidence, { host, why }: WantedHost): void {
  const known = (evidence.wanted ??= []);
  if (known.length < KEPT && !known.some((one) => one.host === host)) known.push({ host, why });
}

/** What the sandbox was refused, and what it may reach and could not. */
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

/** "wanted a.com, which this project may not reach". */
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

/** Whether the output of something that failed says that it missed one of these hosts. */
export const namesMissing = (output: string, hosts: readonly WantedHost[]) =>
  hosts.some(({ host }) => output.includes(host)) || (hosts.length > 0 && NO_ANSWER.test(output));

/** Hosts that a page cannot do without: scripts and data, not what it only looks like. */
const needed = (report: PageReport) => (report.wanted ?? []).filter((one) => one.for !== "looks");

/**
 * Why a page that looks broken proves nothing: all that is wrong with it may come from hosts which nobody let it reach.
 * Undefined where something is wrong beside that.
 * @param sandbox what the app's own server missed meanwhile
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
 * What the looks at a revision wanted and a later report of it, as of the person's own preview, did not get either.
 * A host that answered there is no excuse for it.
 */
export function stillWanted(report: PageReport, looks: readonly PageReport[]): PageWant[] {
  const silent = new Set(
    report.failedRequests.flatMap(({ url, status }) =>
      status === 0 ? [URL.parse(url)?.host ?? ""] : [],
    ),
  );
  return looks.flatMap(({ wanted: wants = [] }) => wants).filter(({ host }) => silent.has(host));
}

/** The report as it may have been with what it wanted. */
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

/** What a page that works all the same did not get, for its summary; empty where it got all. */
export const wantedRemark = ({ wanted: wants = [] }: PageReport): string => wantedWords(wants);
