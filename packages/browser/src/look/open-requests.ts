import type { Page, Request } from "playwright-core";
import { isOwnPath } from "../probe/own-paths.ts";

/** Milliseconds after which an answer that still goes on is a stream: events over fetch, a picture without end. */
const STREAM_MS = 3_000;
/** Milliseconds after which a script's question that nobody answers is one that is held open: long polling. */
const HELD_MS = 15_000;

/** Requests that say nothing about whether a page is ready: meant to stay open, or nothing that it waits for. */
const BESIDE: ReadonlySet<string> = new Set(
  "eventsource websocket ping cspreport media texttrack manifest prefetch".split(" "),
);
/** What a page cannot do without: waited for as long as anything moves. */
const NEEDED: ReadonlySet<string> = new Set(["document", "script", "stylesheet", "font"]);

export interface OpenRequests {
  /** Those that the page is not ready without. */
  blocking(): Request[];
  /** Questions of scripts that were waited for in vain. */
  held(): Request[];
  /** Whether something comes in piece by piece and has no end: time cannot wait for it. */
  hasStreams(): boolean;
  /** How many documents were opened, by path; what leads on to another (a redirect) is none. */
  readonly documents: ReadonlyMap<string, number>;
  /** Whether another document was asked for that is not shown yet. */
  isLeaving(): boolean;
  /** How many there were. */
  count(): number;
  /** Called on whatever moves, until the returned function is called. */
  onMove(listener: () => void): () => void;
}

/**
 * Follows the requests of a page from before it is opened.
 * @param heldMs milliseconds after which a script's question that nobody answers counts as held open
 */
export function openRequests(page: Page, heldMs = HELD_MS): OpenRequests {
  const open = new Map<Request, { since: number; answered?: number }>();
  const documents = new Map<string, number>();
  /** What was held open once is not waited for again. */
  const lasting = new Set<string>();
  const listeners = new Set<() => void>();
  const moved = () => {
    for (const listener of listeners) listener();
  };
  let asked = 0;
  let leaving: Request | undefined;
  const isMain = (request: Request) =>
    request.isNavigationRequest() && request.frame() === page.mainFrame();
  const requests: OpenRequests = {
    onMove(listener) {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
    documents,
    count: () => asked,
    isLeaving: () => leaving !== undefined,
    blocking() {
      const now = performance.now();
      return [...open].flatMap(([request, times]) => {
        const name = nameOf(request);
        if (!lasting.has(name) && blocks(request, times, now, heldMs)) return [request];
        if (!BESIDE.has(request.resourceType())) lasting.add(name);
        return [];
      });
    },
    held: () =>
      [...open.entries()]
        .filter(([request, { answered }]) => answered === undefined && lasting.has(nameOf(request)))
        .map(([request]) => request),
    hasStreams: () =>
      [...open.keys()].some((request) => {
        const type = request.resourceType();
        return type === "eventsource" || type === "fetch" || type === "xhr" || type === "image";
      }),
  };
  page.on("request", (request) => {
    // What the probe tells is not the app's.
    if (isOwnPath(URL.parse(request.url())?.pathname ?? "")) return;
    asked++;
    open.set(request, { since: performance.now() });
    if (isMain(request)) {
      leaving = request;
      if (!request.redirectedFrom()) count(documents, request.url());
    }
    moved();
  });
  page.on("response", (response) => {
    const times = open.get(response.request());
    if (times) times.answered = performance.now();
    moved();
  });
  const ended = (request: Request) => {
    open.delete(request);
    moved();
  };
  page.on("requestfinished", ended);
  page.on("requestfailed", (request) => {
    if (request === leaving) leaving = undefined;
    ended(request);
  });
  page.on("framenavigated", (frame) => {
    if (frame !== page.mainFrame() || !leaving) return;
    // A document that is replaced takes its requests with it, not all of which are told of.
    for (const request of open.keys()) if (request !== leaving) open.delete(request);
    leaving = undefined;
    moved();
  });
  return requests;
}

function nameOf(request: Request): string {
  const url = URL.parse(request.url());
  return `${request.method()} ${url ? url.origin + url.pathname : request.url()}`;
}

function blocks(
  request: Request,
  { since, answered }: { since: number; answered?: number },
  now: number,
  heldMs: number,
): boolean {
  const type = request.resourceType();
  if (BESIDE.has(type)) return false;
  if (NEEDED.has(type)) return true;
  if (answered !== undefined) return now - answered < STREAM_MS;
  return now - since < heldMs;
}

function count(documents: Map<string, number>, url: string): void {
  const { pathname } = URL.parse(url) ?? { pathname: url };
  documents.set(pathname, (documents.get(pathname) ?? 0) + 1);
}
