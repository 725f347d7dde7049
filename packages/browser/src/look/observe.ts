import type { PageProblem, PageReport } from "@treadle/protocol";
import type { ConsoleMessage, Page, Request, Response } from "playwright-core";
import { printed } from "./printed.ts";
import { readHiddenError } from "./watch-hidden-errors.ts";
import { isHot } from "./watch-sockets.ts";

/** Maximum number of entries per list; the first ones show the cause. */
const ENTRIES = 20;
const MESSAGE = 2_000;
const STACK = 4_000;
const URL_LENGTH = 2_000;

type Problems = Pick<PageReport, "uncaughtErrors" | "consoleErrors" | "failedRequests">;

export type Observed = Problems;

/** Collects the errors of a page, from before it is opened. */
export function observe(page: Page, origin: string): Observed {
  const seen: Observed = {
    uncaughtErrors: [],
    consoleErrors: [],
    failedRequests: [],
  };
  const add = <T>(list: T[], item: T) => {
    if (list.length < ENTRIES) list.push(item);
  };
  const unanswered = (method: string, address: string, status: number, reason?: string) => {
    const url = shorten(address, origin).slice(0, URL_LENGTH);
    // A page that repeats a request has one problem.
    const isKnown = seen.failedRequests.some(
      (other) => other.url === url && other.method === method && other.status === status,
    );
    if (isKnown) return;
    add(seen.failedRequests, { method, url, status, reason });
  };
  const failed = (request: Request, status: number, reason?: string) =>
    unanswered(request.method(), request.url(), status, reason);
  const thrown = (error: Error) => {
    if (!NO_ERROR.test(error.message)) add(seen.uncaughtErrors, problem(error, origin));
  };
  page.on("pageerror", thrown);
  page.on("console", (message) => {
    const hidden = readHiddenError(message);
    if (hidden) return thrown(hidden);
    if (isEcho(message) || !(message.type() === "error" || WARNED.test(message.text()))) return;
    const problem = printed(message, (text) => shorten(text, origin));
    // A report-only policy mentions the probe, which the gateway allowed; its message precedes
    // that.
    if (problem.by === "browser" && problem.message.split(/\bviolates\b/, 1)[0]?.includes(OWN))
      return;
    if (!seen.consoleErrors.some((other) => other.message === problem.message))
      add(seen.consoleErrors, problem);
  });
  page.on("websocket", (socket) => {
    // A dev server's own socket, which the app does not need.
    if (isHot(socket.url())) return;
    let opened = false;
    socket.on("framesent", () => (opened = true));
    socket.on("framereceived", () => (opened = true));
    socket.on("socketerror", (error) => {
      if (!opened) unanswered("GET", socket.url(), 0, `the WebSocket did not open: ${error}`);
    });
  });
  page.on("requestfailed", (request) => {
    const reason = request.failure()?.errorText ?? "no answer";
    // A page that navigates away or aborts a request did not fail.
    if (reason === "net::ERR_ABORTED") return;
    failed(request, 0, reason);
  });
  page.on("response", (response: Response) => {
    const request = response.request();
    if (request.isNavigationRequest() || isIcon(request)) return;
    if (response.status() >= 400) failed(request, response.status());
    else if (
      NO_PAGE.has(request.resourceType()) &&
      isHtml(response) &&
      request.url() !== page.url()
    )
      // A single-page app's server answers missing addresses with its page.
      response.text().then(
        (text) => {
          // The browser keeps no body of a picture that it cannot decode.
          if (PAGE.test(text) || (text === "" && request.resourceType() === "image"))
            failed(request, 0, "it is not there, and a page was answered in its place");
        },
        () => undefined,
      );
  });
  page.on("crash", () =>
    add(seen.uncaughtErrors, { message: "The page crashed the browser: it used too much memory" }),
  );
  return seen;
}

/** Requests for the tab's icon, which every browser makes. */
const isIcon = (request: Request) =>
  request.resourceType() === "other" &&
  /\.(?:ico|svg|png|gif|jpe?g|webp)$/i.test(URL.parse(request.url())?.pathname ?? "");

/** Resource types for which a page is no valid answer; a script reports that itself. */
const NO_PAGE: ReadonlySet<string> = new Set(["stylesheet", "image", "font", "media"]);
const PAGE = /^\s*<(?:!doctype|html)\b/i;
const isHtml = (response: Response) => /\bhtml\b/i.test(response.headers()["content-type"] ?? "");

/** Reported like an error by the browser, but harmless. */
const NO_ERROR = /^(?:Uncaught )?ResizeObserver loop/;
/**
 * Vue reports as warnings that a component threw, renders in an endless loop, or is not mounted.
 */
const WARNED =
  /^\[Vue warn\]: (?:Unhandled error|Maximum recursive updates exceeded|Failed to mount app)/;
/** Path prefix of the probe, which is not part of the app. */
const OWN = "/__treadle/";

/** The browser's own message about a failed request, which is reported separately. */
const isEcho = (message: ConsoleMessage) =>
  message.text().startsWith("Failed to load resource:") ||
  /blocked by CORS policy|net::ERR_|^WebSocket connection to /.test(message.text());

function problem(error: Error, origin: string): PageProblem {
  const stack = error.stack === undefined ? "" : shorten(error.stack, origin).slice(0, STACK);
  const named = error.name && error.name !== "Error" && !error.message.startsWith(error.name);
  const message = `${named ? `${error.name}: ` : ""}${error.message}`.slice(0, MESSAGE);
  const source = /\(?([^\s()]+:\d+:\d+)\)?/.exec(stack.replace(error.message, ""))?.[1];
  return { message, source: source || undefined, stack: stack || undefined };
}

/** Shortens the app's addresses to file names, without origin and cache-busting query. */
function shorten(text: string, origin: string): string {
  return text.replaceAll(`${origin}/`, "/").replace(/\?(?:t|v)=[\w.]+(?=[:)\s]|$)/g, "");
}
