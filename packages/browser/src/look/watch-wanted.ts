import type { PageReport, PageWant, WantedHost } from "@treadle/protocol";
import type { BrowserContext, Page, Request } from "playwright-core";

/** Requests to each host by anything in a context, from before its first page is opened. */
export type Wants = ReadonlyMap<string, ReadonlySet<PageWant["for"]>>;

export function watchWants(context: BrowserContext): Wants {
  const wants = new Map<string, Set<PageWant["for"]>>();
  const note = (address: string, kind: PageWant["for"]) => {
    const host = hostOf(address);
    if (host === undefined) return;
    wants.set(host, (wants.get(host) ?? new Set()).add(kind));
  };
  const failed = (request: Request) => note(request.url(), kindOf(request.resourceType()));
  context.on("requestfailed", failed);
  context.on("response", (response) => {
    if (response.status() === 403 || response.status() === 502) failed(response.request());
  });
  context.on("page", (page: Page) => page.on("websocket", (socket) => note(socket.url(), "data")));
  return wants;
}

function kindOf(type: string): PageWant["for"] {
  if (type === "script") return "script";
  return /^(?:xhr|fetch|eventsource|websocket)$/.test(type) ? "data" : "looks";
}

/** Matches how browsers report a failed request without its address. */
const NO_ANSWER = /\b(?:Failed to fetch|NetworkError|Load failed|Network Error|fetch failed)\b/i;

/**
 * Adds the unreachable hosts to the report, also as the reason of failed requests. A message that
 * the app itself caught and printed becomes a note, unless a request to its own server failed.
 */
export function tellWanted(report: PageReport, hosts: WantedHost[], wants: Wants): PageReport {
  if (hosts.length === 0) return report;
  const why = new Map(hosts.map((one) => [one.host, one.why]));
  const names = hosts.slice(0, 3).map(({ host }) => host);
  const own = report.failedRequests.some(({ url, status }) => status === 0 && url.startsWith("/"));
  return {
    ...report,
    consoleErrors: report.consoleErrors.map((problem) =>
      own || !NO_ANSWER.test(problem.message)
        ? problem
        : { ...problem, message: `Not reached: ${names.join(", ")}. ${problem.message}` },
    ),
    failedRequests: report.failedRequests.map((request) => {
      const host = hostOf(request.url);
      const reason = host === undefined ? undefined : why.get(host);
      if (reason === undefined) return request;
      const words =
        reason === "not-allowed"
          ? `this project may not reach ${host}`
          : `${host} cannot be reached from this machine`;
      return { ...request, status: 0, reason: words };
    }),
    wanted: hosts.flatMap((one) =>
      [...(wants.get(one.host) ?? ["looks" as const])].map((kind) => ({ ...one, for: kind })),
    ),
  };
}

function hostOf(address: string): string | undefined {
  const url = URL.parse(address);
  return url && /^(?:https?|wss?):$/.test(url.protocol) ? url.host : undefined;
}
