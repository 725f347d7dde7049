import type { Page, Request } from "playwright-core";

/** Milliseconds without a request under way, and without a change of the page, after which it counts as settled. */
const QUIET_MS = 250;
/** A page that never rests (a clock, polling) is seen as it is this many milliseconds after it loaded. */
const RESTLESS_MS = 4_000;

/** Follows the requests of a page from before it is opened. */
export interface Activity {
  /** Resolves when the page has loaded and rests, or at the latest when it has been restless for long enough. */
  settled(signal: AbortSignal): Promise<void>;
}

/** Requests that are meant to stay open say nothing about whether a page is ready. */
const isLasting = (request: Request) =>
  request.resourceType() === "eventsource" || request.resourceType() === "websocket";

export function watchActivity(page: Page): Activity {
  const open = new Set<Request>();
  let touched = () => {};
  page.on("request", (request) => {
    if (isLasting(request)) return;
    open.add(request);
    touched();
  });
  const ended = (request: Request) => {
    open.delete(request);
    touched();
  };
  page.on("requestfinished", ended);
  page.on("requestfailed", ended);
  // A document that is replaced takes its requests with it, not all of which are told of.
  page.on("framenavigated", (frame) => {
    if (frame === page.mainFrame()) open.clear();
    touched();
  });

  /** Resolves when nothing was asked for or answered during a whole quiet time. */
  function networkQuiet(signal: AbortSignal): Promise<void> {
    return new Promise((resolve, reject) => {
      let timer: NodeJS.Timeout | undefined;
      const stop = () => {
        clearTimeout(timer);
        touched = () => {};
        signal.removeEventListener("abort", aborted);
      };
      const aborted = () => {
        stop();
        reject(signal.reason as Error);
      };
      touched = () => {
        clearTimeout(timer);
        timer = undefined;
        if (open.size > 0) return;
        timer = setTimeout(() => {
          stop();
          resolve();
        }, QUIET_MS);
      };
      signal.throwIfAborted();
      signal.addEventListener("abort", aborted);
      touched();
    });
  }

  return {
    async settled(signal) {
      await page.waitForLoadState("load", { timeout: 0 });
      const restless = AbortSignal.any([signal, AbortSignal.timeout(RESTLESS_MS)]);
      try {
        // Each may be undone by the other: a change asks for a picture, an answer changes the page.
        do {
          await networkQuiet(restless);
          await until(page.evaluate(DOM_QUIET), restless);
        } while (open.size > 0);
      } catch {
        // Restless, or on its way to another document: it is judged as it stands.
        signal.throwIfAborted();
      }
    },
  };
}

/** Runs in the page: resolves when its document has not changed for a while. */
const DOM_QUIET = `new Promise((resolve) => {
  const observer = new MutationObserver(() => {
    clearTimeout(timer);
    timer = setTimeout(done, ${QUIET_MS});
  });
  const done = () => {
    observer.disconnect();
    resolve();
  };
  let timer = setTimeout(done, ${QUIET_MS});
  observer.observe(document, {
    subtree: true,
    childList: true,
    characterData: true,
    attributes: true,
  });
})`;

/** The promise, or the signal's reason, whichever is first. */
export function until<T>(promise: Promise<T>, signal: AbortSignal): Promise<T> {
  return new Promise((resolve, reject) => {
    const aborted = () => reject(signal.reason as Error);
    if (signal.aborted) aborted();
    signal.addEventListener("abort", aborted);
    promise.then(resolve, reject).finally(() => signal.removeEventListener("abort", aborted));
  });
}
