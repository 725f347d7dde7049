import type { PageProblem, PageReport } from "@treadle/protocol";
import type { ConsoleMessage, Page, Request, Response } from "playwright-core";
import { printed } from "./printed.ts";
import { readHiddenError } from "./watch-hidden-errors.ts";
import { isHot } from "./watch-sockets.ts";

/** Entries of each list that are kept: the first say what went wrong, the others follow from it. */
const ENTRIES = 20;
const MESSAGE = 2_000;
const STACK = 4_000;
const URL_LENGTH = 2_000;

type Problems = Pick<PageReport, "uncaughtErrors" | "consoleErrors" | "failedRequests">;

export type Observed = Problems;

/** Gathers what goes wrong in a page, from before it is opened. */
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
    // A page that asks again and again has one fault, not many.
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
    // A policy that is told of names the probe, which the gateway let in; what is told of it is before that.
    if (problem.by === "browser" && problem.message.split(/\bviolates\b/, 1)[0]?.includes(OWN))
      return;
    if (!seen.consoleErrors.some((other) => other.message === problem.message))
      add(seen.consoleErrors, problem);
  });
  page.on("websocket", (socket) => {
    // A dev server's own: the app does without it.
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
    // A page that moves on, or takes its question back, did not fail.
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
      // Servers of one page answer with that page for what is not there.
      response.text().then(
        (text) => {
          // Of a picture that it cannot draw the browser keeps nothing.
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

/** What the browser shows in its own tab, sooner or later, and no page goes without. */
const isIcon = (request: Request) =>
  request.resourceType() === "other" &&
  /\.(?:ico|svg|png|gif|jpe?g|webp)$/i.test(URL.parse(request.url())?.pathname ?? "");

/** What no page can stand for; a script that is one says so itself. */
const NO_PAGE: ReadonlySet<string> = new Set(["stylesheet", "image", "font", "media"]);
const PAGE = /^\s*<(?:!doctype|html)\b/i;
const isHtml = (response: Response) => /\bhtml\b/i.test(response.headers()["content-type"] ?? "");

/** The browser tells of it as of an error, and it is none. */
const NO_ERROR = /^(?:Uncaught )?ResizeObserver loop/;
/** Vue says as a warning that a component threw, draws itself without end, or has no place on the page. */
const WARNED =
  /^\[Vue warn\]: (?:Unhandled error|Maximum recursive updates exceeded|Failed to mount app)/;
/** The probe is not the app's. */
const OWN = "/__treadle/";

/** The browser's own line about a request that failed; that one is told of by itself. */
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

/** Addresses of the app as its files are called: no origin, no cache-breaking query. */
function shorten(text: string, origin: string): string {
  return text.replaceAll(`${origin}/`, "/").replace(/\?(?:t|v)=[\w.]+(?=[:)\s]|$)/g, "");
}
