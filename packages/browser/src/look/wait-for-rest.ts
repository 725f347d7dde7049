import { setTimeout as sleep } from "node:timers/promises";
import type { Page } from "playwright-core";
import { openRequests, type OpenRequests } from "./open-requests.ts";
import { watchSockets, type Sockets } from "./watch-sockets.ts";
import { BUSY_SECONDS, whenBusy } from "./when-busy.ts";

/** So often one page may be opened within one look: a dev server that finds new packages reloads it a few times. */
const REOPENED = 6;

/** Documents that may follow each other. */
const DOCUMENTS = 20;

/** The path that a page opens again and again by itself, if it does. @param documents how often each was opened in a look */
function reloadLoop(documents: ReadonlyMap<string, number>): string | undefined {
  let all = 0;
  for (const [path, times] of documents) {
    all += times;
    if (times >= REOPENED || all >= DOCUMENTS) return path;
  }
  return undefined;
}

/** Milliseconds without a request under way, and without a change of the page, after which it counts as settled. */
const QUIET_MS = 250;
/** The same where its time is then moved on: what it still has to do shows there. */
const SHORT_QUIET_MS = 100;
/** A page that changes without end (a clock, a game) is seen as it is, so long after it was loaded. */
const RESTLESS_MS = 1_500;
/** Milliseconds that a page which shows nothing is given to show something after all: a timer, a splash. */
const PATIENCE_MS = 2_000;
/** Milliseconds in which nothing at all moves, after which something that is waited for does not come. */
const STALL_MS = 30_000;
/** Milliseconds between two looks at requests that may turn out to be held open. */
const AGAIN_MS = 200;

/** Milliseconds between two questions whether a page that loads still answers. */
const PULSE_MS = 1_000;

/** So often a page that is on its way to another document is waited for anew. */
const TRIES = 100;

/** It was waited for, and did not come to rest; the message says what was missing. */
export class NotAtRest extends Error {
  override readonly name = "NotAtRest";
}

/** A script computes without end: the page answers nothing any more. */
export class KeptBusy extends NotAtRest {}

/** Follows a page from before it is opened. */
export interface PageActivity {
  readonly requests: OpenRequests;
  readonly sockets: Sockets;
  /**
   * Resolves when the page has loaded and rests, whatever time that takes as long as anything moves.
   * Rejects with `NotAtRest` where nothing does, and with the signal's reason.
   */
  settled(signal: AbortSignal): Promise<void>;
  /** The same of its requests alone: for a page whose clock stands still. */
  answered(signal: AbortSignal): Promise<void>;
  /** Resolves with whether the page has changed, when it did or when it was waited for in vain. */
  changed(signal: AbortSignal): Promise<boolean>;
  /** The path that was opened again and again. */
  loop(): string | undefined;
}

/**
 * @param timePasses whether its time is moved on after it rests
 * @param busySeconds of a processor, after which a page that answers nothing is `KeptBusy`
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

  /** Resolves after a whole quiet time, with whether it was the first. */
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

  /** The state of its loading, or the reason why that does not come. */
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

  /** What the page answers. Rejects with `KeptBusy` where it does not, and computes instead. */
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

  /** Rejects with `KeptBusy` where the page answers nothing any more; never resolves before the signal. */
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
      // Each may be undone by the other (a change asks for a picture, an answer changes the page): both at once.
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
          // On its way to another document.
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
 * Runs in the page: resolves when its document has not changed for a while and it has nothing to do, with whether it
 * did not change at all; one that changes without end is not waited for.
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

/** The promise, or the signal's reason, whichever is first. */
export function until<T>(promise: Promise<T>, signal: AbortSignal): Promise<T> {
  return new Promise((resolve, reject) => {
    const aborted = () => reject(signal.reason as Error);
    if (signal.aborted) aborted();
    signal.addEventListener("abort", aborted);
    promise.then(resolve, reject).finally(() => signal.removeEventListener("abort", aborted));
  });
}
