import type { Page, Request } from "playwright-core";

/** Milliseconds without a request under way, and without a change of the page, after which it counts as settled. */
const QUIET_MS = 250;
/** A page that never rests (a clock, polling, a picture without end) is seen as it is, so long after it was parsed. */
const RESTLESS_MS = 6_000;
/** Milliseconds that a page which shows nothing is given to show something after all: a timer, a splash. */
const PATIENCE_MS = 2_000;
/** Documents that may follow each other while one is waited for. */
const DOCUMENTS = 10;

/** Follows the requests of a page from before it is opened. */
interface Activity {
  /** Resolves when the page has loaded and rests, or at the latest when it has been restless for long enough. */
  settled(signal: AbortSignal): Promise<void>;
  /** Resolves with whether the page has changed, when it did or when it was waited for in vain. */
  changed(signal: AbortSignal): Promise<boolean>;
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

  /** Resolves after a whole quiet time, with whether it was the first. */
  function networkQuiet(signal: AbortSignal): Promise<boolean> {
    return new Promise((resolve, reject) => {
      let timer: NodeJS.Timeout | undefined;
      let first = true;
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
        first = false;
        wait();
      };
      const wait = () => {
        if (open.size > 0) return;
        timer = setTimeout(() => {
          stop();
          resolve(first);
        }, QUIET_MS);
      };
      signal.throwIfAborted();
      signal.addEventListener("abort", aborted);
      wait();
    });
  }

  return {
    async settled(signal) {
      await until(page.waitForLoadState("domcontentloaded", { timeout: 0 }), signal);
      const restless = AbortSignal.any([signal, AbortSignal.timeout(RESTLESS_MS)]);
      for (let document = 1; document <= DOCUMENTS;)
        try {
          await until(page.waitForLoadState("load", { timeout: 0 }), restless);
          // Each may be undone by the other (a change asks for a picture, an answer changes the page): both at once.
          const [network, dom] = await Promise.all([
            networkQuiet(restless),
            until(page.evaluate<boolean>(DOM_QUIET), restless),
          ]);
          if (network && dom) return;
        } catch {
          signal.throwIfAborted();
          if (restless.aborted || page.isClosed()) return;
          // On its way to another document.
          document++;
        }
    },
    changed: (signal) => until(page.evaluate<boolean>(DOM_CHANGED), signal).catch(() => true),
  };
}

const ALL = "{ subtree: true, childList: true, characterData: true, attributes: true }";

/** Runs in the page: resolves when its document has not changed for a while, with whether it did not change at all. */
const DOM_QUIET = `new Promise((resolve) => {
  let first = true;
  const observer = new MutationObserver(() => {
    first = false;
    clearTimeout(timer);
    timer = setTimeout(done, ${QUIET_MS});
  });
  const done = () => {
    observer.disconnect();
    resolve(first);
  };
  let timer = setTimeout(done, ${QUIET_MS});
  observer.observe(document, ${ALL});
})`;

const DOM_CHANGED = `new Promise((resolve) => {
  const observer = new MutationObserver(() => done(true));
  const done = (changed) => {
    observer.disconnect();
    clearTimeout(timer);
    resolve(changed);
  };
  const timer = setTimeout(done, ${PATIENCE_MS}, false);
  observer.observe(document, ${ALL});
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
