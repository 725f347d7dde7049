import { setTimeout as sleep } from "node:timers/promises";
import type { Page } from "playwright-core";
import { openRequests, type OpenRequests } from "./open-requests.ts";
import { watchSockets, type Sockets } from "./watch-sockets.ts";
import { BUSY_SECONDS, whenBusy } from "./when-busy.ts";

/**
 * Maximum number of reloads of one page within a look: a dev server that finds new packages reloads
 * it a few times.
 */
const REOPENED = 6;

/** Maximum number of successive documents. */
const DOCUMENTS = 20;

/**
 * The path that a page reloads again and again by itself, if any.
 * @param documents number of times that each was opened in a look
 */
function reloadLoop(documents: ReadonlyMap<string, number>): string | undefined {
  let all = 0;
  for (const [path, times] of documents) {
    all += times;
    if (times >= REOPENED || all >= DOCUMENTS) return path;
  }
  return undefined;
}

/**
 * Milliseconds without an open request and without a change of the page, after which it counts as
 * idle.
 */
const QUIET_MS = 250;
/** The same if its clock is advanced afterwards, which shows the rest. */
const SHORT_QUIET_MS = 100;
/**
 * Milliseconds after loading at which a page that changes constantly (a clock, a game) is looked
 * at.
 */
const RESTLESS_MS = 1_500;
/** Milliseconds for which a blank page may still show something: a timer, a splash screen. */
const PATIENCE_MS = 2_000;
/** Milliseconds without any activity after which what is waited for does not come. */
const STALL_MS = 30_000;
/** Milliseconds between two checks of requests that may be held open. */
const AGAIN_MS = 200;

/** Milliseconds between two checks whether a loading page responds. */
const PULSE_MS = 1_000;

/** Maximum number of waits for a page that is navigating. */
const TRIES = 100;

/** Thrown if the page did not become idle; the message says what it was waiting for. */
export class NotAtRest extends Error {
  override readonly name = "NotAtRest";
}

/** Thrown if a script computes without end, so that the page does not respond. */
export class KeptBusy extends NotAtRest {}

/** Tracks a page from before it is opened. */
export interface PageActivity {
  readonly requests: OpenRequests;
  readonly sockets: Sockets;
  /**
   * Resolves when the page has loaded and is idle, however long that takes as long as anything
   * moves. Rejects with `NotAtRest` if nothing does, and with the signal's reason.
   */
  settled(signal: AbortSignal): Promise<void>;
  /** The same for its requests only: for a page with a stopped clock. */
  answered(signal: AbortSignal): Promise<void>;
  /** Resolves with whether the page has changed, at the change or at the time limit. */
  changed(signal: AbortSignal): Promise<boolean>;
  /** The path that was reloaded again and again. */
  loop(): string | undefined;
}

/**
 * @param timePasses whether its clock is advanced once it is idle
 * @param busySeconds processor seconds after which an unresponsive page is `KeptBusy`
 * @param heldMs see `openRequests`
 */
export function watchActivity(
  page: Page,
  timePasses = false,
  { busySeconds = BUSY_SECONDS, heldMs }: { busySeconds?: number; heldMs?: number } = {},
): PageActivity {
  const requests = openRequests(page, heldMs);
  const sockets = watchSockets(page);
  let crashed = false;
  page.on("crash", () => (crashed = true));
  const quietMs = timePasses ? SHORT_QUIET_MS : QUIET_MS;

  const loop = () => reloadLoop(requests.documents);

  /** Resolves after a complete quiet interval, with whether it was the first. */
  function networkQuiet(ms: number, signal: AbortSignal): Promise<boolean> {
    return new Promise((resolve, reject) => {
      let timer: NodeJS.Timeout | undefined;
      let moved = performance.now();
      let first = true;
      const stop = () => {
        clearTimeout(timer);
        off();
        signal.removeEventListener("abort", aborted);
      };
      const aborted = () => {
        stop();
        reject(signal.reason as Error);
      };
      const wait = () => {
        const blocking = requests.blocking();
        if (blocking.length === 0) {
          timer = setTimeout(() => {
            stop();
            resolve(first);
          }, ms);
          return;
        }
        first = false;
        if (performance.now() - moved < STALL_MS) timer = setTimeout(wait, AGAIN_MS);
        else {
          stop();
          reject(new NotAtRest(missing(requests)));
        }
      };
      signal.throwIfAborted();
      const off = requests.onMove(() => {
        clearTimeout(timer);
        moved = performance.now();
        first = false;
        wait();
      });
      signal.addEventListener("abort", aborted);
      wait();
    });
  }

  /** Waits for a state of loading, or rejects with the reason. */
  async function loaded(state: "domcontentloaded" | "load", signal: AbortSignal): Promise<void> {
    const stalled = new AbortController();
    const waiting = new AbortController();
    const stall = () => stalled.abort(new NotAtRest(missing(requests)));
    let timer = setTimeout(stall, STALL_MS);
    const off = requests.onMove(() => {
      clearTimeout(timer);
      timer = setTimeout(stall, STALL_MS);
    });
    try {
      const ends = AbortSignal.any([signal, stalled.signal]);
      const loaded = until(page.waitForLoadState(state, { timeout: 0 }), ends);
      await Promise.race([loaded, neverBusy(AbortSignal.any([ends, waiting.signal]))]);
    } finally {
      waiting.abort();
      clearTimeout(timer);
      off();
    }
  }

  /** The page's answer. Rejects with `KeptBusy` if it computes instead. */
  async function heard<T>(asked: Promise<T>, signal: AbortSignal): Promise<T> {
    const busy = new AbortController();
    const waiting = new AbortController();
    whenBusy(page, busySeconds, waiting.signal).then(
      () => busy.abort(new KeptBusy("a script keeps the page busy")),
      () => {},
    );
    try {
      return await until(asked, AbortSignal.any([signal, busy.signal]));
    } finally {
      waiting.abort();
    }
  }

  /** Rejects with `KeptBusy` if the page no longer responds; never resolves before the signal. */
  async function neverBusy(signal: AbortSignal): Promise<void> {
    while (!signal.aborted) {
      await heard(
        page.evaluate("0").catch(() => undefined),
        signal,
      );
      await sleep(PULSE_MS, undefined, { signal });
    }
  }

  async function quiet(signal: AbortSignal): Promise<void> {
    const restless = performance.now() + RESTLESS_MS;
    for (;;) {
      // Each can invalidate the other (a change requests a picture, an answer changes the page), so
      // both are waited for at once.
      const waiting = new AbortController();
      const ends = AbortSignal.any([signal, waiting.signal]);
      const [network, dom] = await Promise.all([
        networkQuiet(quietMs, ends),
        heard(page.evaluate<boolean>(domQuiet(quietMs)), ends),
        until(sockets.opened(), ends),
      ]).finally(() => waiting.abort());
      if (network && (dom || performance.now() > restless)) return;
    }
  }

  return {
    requests,
    sockets,
    async settled(signal) {
      await loaded("domcontentloaded", signal);
      for (let tries = 0; !loop(); tries++)
        try {
          await loaded("load", signal);
          return await quiet(signal);
        } catch (error) {
          signal.throwIfAborted();
          if (error instanceof NotAtRest || page.isClosed() || crashed || tries > TRIES)
            throw error;
          // It is navigating to another document.
        }
    },
    async answered(signal) {
      await Promise.all([networkQuiet(0, signal), until(sockets.answered(), signal)]);
    },
    changed: (signal) => until(page.evaluate<boolean>(DOM_CHANGED), signal).catch(() => true),
    loop,
  };
}

function missing(requests: OpenRequests): string {
  const [first, ...others] = requests.blocking();
  const seconds = STALL_MS / 1_000;
  if (!first) return `the page did not come to rest, and nothing moved in it for ${seconds} s`;
  const url = URL.parse(first.url());
  const what = `${first.method()} ${url ? url.pathname + url.search : first.url()}`.slice(0, 200);
  const more = others.length === 0 ? "" : ` (and ${others.length} more)`;
  return `${what}${more} was not answered in ${seconds} s`;
}

const ALL = "{ subtree: true, childList: true, characterData: true, attributes: true }";

/**
 * Runs in the page: resolves when its document has not changed for a while and it is idle, with
 * whether it did not change at all; does not wait for one that changes constantly.
 */
const domQuiet = (ms: number) => `new Promise((resolve) => {
  let first = true;
  const observer = new MutationObserver(() => {
    first = false;
    clearTimeout(timer);
    timer = setTimeout(done, ${ms});
  });
  const done = () => {
    observer.disconnect();
    clearTimeout(timer);
    clearTimeout(limit);
    requestIdleCallback(() => resolve(first), { timeout: 1000 });
  };
  let timer = setTimeout(done, ${ms});
  const limit = setTimeout(done, ${RESTLESS_MS});
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

/** Settles with the promise, or rejects with the signal's reason, whichever is first. */
export function until<T>(promise: Promise<T>, signal: AbortSignal): Promise<T> {
  return new Promise((resolve, reject) => {
    const aborted = () => reject(signal.reason as Error);
    if (signal.aborted) aborted();
    signal.addEventListener("abort", aborted);
    promise.then(resolve, reject).finally(() => signal.removeEventListener("abort", aborted));
  });
}
