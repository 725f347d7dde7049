import { chromium, type Browser, type BrowserContext, type LaunchOptions } from "playwright-core";
import { setTimeout as sleep } from "node:timers/promises";

/**
 * Time limit in milliseconds for closing a context. A page with an endless script may block it
 * forever.
 */
const CLOSE_MS = 20_000;

/**
 * Browsers of this test worker by launch options; a worker runs its test files one after the other.
 */
const launched = new Map<string, Promise<Browser>>();

/** Requests that failed in pages that were opened through a shared browser. */
const failedRequests = new WeakMap<Browser, string[]>();
/** Number of failed requests that are remembered. */
const REMEMBERED = 20;

/** The last requests that failed, and why: a page does not show why it lacks something. */
export const failedRequestsOf = (browser: Browser): readonly string[] =>
  failedRequests.get(browser) ?? [];

/**
 * Returns a Chromium shared by all test files of this worker, as starting one takes seconds on a
 * busy machine. Contexts isolate the tests: `close` of the returned object closes only the contexts
 * that were opened through it. The browser itself ends with the worker; outside of tests, where it
 * is not shared, `close` ends it.
 * @param timeoutMs time limit for operations on its pages, in milliseconds; default: Playwright's
 * own
 */
export async function shareBrowser(options: LaunchOptions, timeoutMs?: number): Promise<Browser> {
  const key = JSON.stringify([options.executablePath, options.args]);
  const browser = await (connected(await launched.get(key)) ?? launch(key, options));
  const contexts = new Set<BrowserContext>();
  const failed: string[] = [];
  const track = (context: BrowserContext) => {
    contexts.add(context);
    context.on("close", () => contexts.delete(context));
    context.on("requestfailed", (request) => {
      failed.push(`${request.failure()?.errorText} ${request.url()}`);
      failed.splice(0, failed.length - REMEMBERED);
    });
    if (timeoutMs !== undefined) context.setDefaultTimeout(timeoutMs);
  };
  const lease: Partial<Browser> = {
    async newContext(more) {
      const context = await browser.newContext(more);
      track(context);
      return context;
    },
    async newPage(more) {
      const page = await browser.newPage(more);
      track(page.context());
      return page;
    },
    contexts: () => [...contexts],
    async close() {
      if (!process.env["VITEST"]) return browser.close();
      const closing = Promise.all([...contexts].map((context) => context.close()));
      const hung = new AbortController();
      const late = sleep(CLOSE_MS, "late", { signal: hung.signal }).catch(() => undefined);
      if ((await Promise.race([closing, late])) === "late") {
        launched.delete(key);
        await browser.close();
      }
      hung.abort();
    },
  };
  const shared = new Proxy(browser, {
    get(target, name) {
      if (Object.hasOwn(lease, name)) return lease[name as keyof Browser];
      const value: unknown = Reflect.get(target, name);
      return typeof value === "function" ? (value.bind(target) as unknown) : value;
    },
  });
  failedRequests.set(shared, failed);
  return shared;
}

const connected = (browser: Browser | undefined): Browser | undefined =>
  browser?.isConnected() ? browser : undefined;

function launch(key: string, options: LaunchOptions): Promise<Browser> {
  // A worker is ended by a signal; only a regular exit lets Playwright end its browsers and remove
  // their folders.
  if (launched.size === 0) process.once("SIGTERM", () => process.exit());
  const browser = chromium.launch({
    ...options,
    handleSIGTERM: false,
    handleSIGINT: false,
    handleSIGHUP: false,
  });
  launched.set(key, browser);
  browser.catch(() => launched.delete(key));
  return browser;
}
