import type { Page, Request } from "playwright-core";
import { isOwnPath } from "@treadle/probe";

/** Milliseconds after which an unfinished answer counts as a stream. */
const STREAM_MS = 3_000;
/** Milliseconds after which a script's unanswered request counts as held open (long polling). */
const HELD_MS = 15_000;

/**
 * Requests that are irrelevant for the page being ready: meant to stay open, or not waited for by
 * the page.
 */
const BESIDE: ReadonlySet<string> = new Set(
  "eventsource websocket ping cspreport media texttrack manifest prefetch".split(" "),
);
/** Resources that a page needs: waited for as long as anything moves. */
const NEEDED: ReadonlySet<string> = new Set(["document", "script", "stylesheet", "font"]);

export interface OpenRequests {
  /** Requests that the page needs in order to be ready. */
  blocking(): Request[];
  /** Requests of scripts that were never answered. */
  held(): Request[];
  /** Whether there is an endless stream, for which the clock must not wait. */
  hasStreams(): boolean;
  /** Number of times that each document was opened, by path, without redirects. */
  readonly documents: ReadonlyMap<string, number>;
  /** Whether another document was requested that is not displayed yet. */
  isLeaving(): boolean;
  /** Total number of requests. */
  count(): number;
  /**
   * Adds a listener for any activity.
   * @returns removes it
   */
  onMove(listener: () => void): () => void;
}

/**
 * Tracks the requests of a page from before it is opened.
 * @param heldMs milliseconds after which a script's unanswered request counts as held open
 */
export function openRequests(page: Page, heldMs = HELD_MS): OpenRequests {
  const open = new Map<Request, { since: number; answered?: number }>();
  const documents = new Map<string, number>();
  /** A request that was held open once is not waited for again. */
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
    // Requests of the probe are not the app's.
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
    // A replaced document aborts its requests, not all of which are reported.
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
