import type { PageProblem, PageReport } from "@treadle/protocol";
import type { ConsoleMessage, Page, Request, Response } from "playwright-core";

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
  const failed = (request: Request, status: number, reason?: string) =>
    add(seen.failedRequests, {
      method: request.method(),
      url: shorten(request.url(), origin).slice(0, URL_LENGTH),
      status,
      ...(reason === undefined ? {} : { reason }),
    });
  page.on("pageerror", (error) => add(seen.uncaughtErrors, problem(error, origin)));
  page.on("console", (message) => {
    if (message.type() === "error" && !isEcho(message))
      add(seen.consoleErrors, printed(message, origin));
  });
  page.on("requestfailed", (request) => {
    const reason = request.failure()?.errorText ?? "no answer";
    // A page that moves on, or takes its question back, did not fail.
    if (reason === "net::ERR_ABORTED") return;
    failed(request, 0, reason);
  });
  page.on("response", (response: Response) => {
    const request = response.request();
    if (response.status() < 400 || request.isNavigationRequest()) return;
    failed(request, response.status());
  });
  page.on("crash", () =>
    add(seen.uncaughtErrors, { message: "The page crashed the browser: it took too much memory" }),
  );
  return seen;
}

/** The browser's own line about a request that failed; that one is told of by itself. */
const isEcho = (message: ConsoleMessage) =>
  message.text().startsWith("Failed to load resource:") ||
  /blocked by CORS policy|net::ERR_/.test(message.text());

function problem(error: Error, origin: string): PageProblem {
  const stack = error.stack === undefined ? "" : shorten(error.stack, origin).slice(0, STACK);
  const named = error.name && error.name !== "Error" && !error.message.startsWith(error.name);
  const message = `${named ? `${error.name}: ` : ""}${error.message}`.slice(0, MESSAGE);
  const source = /\(?([^\s()]+:\d+:\d+)\)?/.exec(stack.replace(error.message, ""))?.[1];
  return { message, ...(source ? { source } : {}), ...(stack ? { stack } : {}) };
}

function printed(message: ConsoleMessage, origin: string): PageProblem {
  const { url, lineNumber, columnNumber } = message.location();
  const text = message.text().slice(0, MESSAGE);
  if (!url) return { message: text };
  // The browser counts from 0, people from 1.
  return {
    message: text,
    source: shorten(`${url}:${lineNumber + 1}:${columnNumber + 1}`, origin),
  };
}

/** Addresses of the app as its files are called: no origin, no cache-breaking query. */
function shorten(text: string, origin: string): string {
  return text.replaceAll(`${origin}/`, "/").replace(/\?(?:t|v)=[\w.]+(?=[:)\s]|$)/g, "");
}
