import { NO_ANSWER } from "@treadle/protocol/evidence";
import type { PageReport } from "@treadle/protocol";
import type { Page, Response } from "playwright-core";
import { MEASURE } from "../probe/measure.ts";
import { lookCloser } from "./look-closer.ts";
import { observe } from "./observe.ts";
import { passTime } from "./pass-time.ts";
import { KeptBusy, NotAtRest, until, watchActivity } from "./wait-for-rest.ts";

/**
 * Milliseconds for a document to be answered, which nothing moves for meanwhile: as long as the server is waited for that
 * has to answer first (the agent's `getPage`).
 */
const ANSWER_MS = 60_000;
/** Milliseconds for a page to say what it shows. One that does not is kept busy by a script of its own. */
const MEASURE_MS = 15_000;

interface Sight {
  title: string;
  lang?: string;
  rendered: boolean;
  text: string;
  overlay?: string;
}

/** Waits for a page that something is done with. Both reject with the signal's reason. */
export interface PageRest {
  /** Until it rests again. */
  settled(): Promise<void>;
  /** Until what it asked for is answered. */
  answered(): Promise<void>;
}

export interface PageLook {
  origin: string;
  path: string;
  signal: AbortSignal;
  /** The most milliseconds of it: reached, the page counts as one that could not be seen. */
  ms: number;
  /** Milliseconds for the document to begin to come; default 60,000. */
  answerMs?: number | undefined;
  /** Seconds of a processor, after which a page that answers nothing counts as kept busy by a script. */
  busySeconds?: number | undefined;
  /** Milliseconds after which a script's question that nobody answers is one that is held open. */
  heldMs?: number | undefined;
  /** Move its clock on, after which it is of no more use, and ask for what it links to. */
  ahead?: boolean;
  /**
   * Called once the page rests; what it does belongs to the report. Its
   * rejections do not.
   */
  use?: (rest: PageRest, signal: AbortSignal) => Promise<void>;
}

/** Opens a page, waits until it rests, and says what was seen. Rejects only with the signal's reason. */
export async function lookAtPage(page: Page, request: PageLook): Promise<PageReport> {
  const { origin, path, signal, ms, busySeconds, heldMs, ahead = false, use } = request;
  // Behind a slash nothing can name another host.
  const address = `${origin}${path.startsWith("/") ? "" : "/"}${path}`;
  const started = performance.now();
  const answerMs = Math.min(ms, request.answerMs ?? ANSWER_MS);
  const seen = observe(page, origin);
  const activity = watchActivity(page, ahead, { busySeconds, heldMs });
  // What answers a navigation last is the document that is shown.
  let document: Response | undefined;
  page.on("response", (response) => {
    const asked = response.request();
    if (asked.isNavigationRequest() && asked.frame() === page.mainFrame()) document = response;
  });
  const limit = AbortSignal.timeout(ms);
  // What is asked of a page that crashed is never answered.
  const gone = new AbortController();
  page.on("crash", () => gone.abort(new Error("the page crashed")));
  const ends = AbortSignal.any([signal, limit, gone.signal]);
  const cdp = ahead ? await page.context().newCDPSession(page) : undefined;
  let failure: string | undefined;
  let unsettled: string | undefined;
  /** Whether it has nothing to say of itself: a script keeps it busy, or there is no document yet. */
  let silent = false;
  let sight: Sight | undefined;
  try {
    await until(page.goto(address, { waitUntil: "commit", timeout: answerMs }), ends);
    await activity.settled(ends);
    if (cdp) await passTime(page, activity, cdp, await endOf(page, document), ends);
    else {
      sight = await measure(page, signal);
      const blank = sight && !sight.rendered && !sight.overlay && seen.uncaughtErrors.length === 0;
      if (blank && (await activity.changed(ends))) {
        await activity.settled(ends);
        sight = undefined;
      }
    }
    if (use) {
      await use(
        { settled: () => activity.settled(ends), answered: () => activity.answered(ends) },
        ends,
      );
      sight = undefined;
    }
  } catch (error) {
    signal.throwIfAborted();
    silent = error instanceof KeptBusy;
    if (document === undefined && performance.now() - started >= answerMs) {
      failure = `${NO_ANSWER} ${Math.round(answerMs / 1_000)} s`;
      silent = true;
    } else if (limit.aborted)
      unsettled = `the page did not come to rest in ${Math.round(ms / 1_000)} s`;
    else if (error instanceof NotAtRest) unsettled = error.message;
    else failure = error instanceof Error ? firstLine(error.message) : String(error);
  }
  if (!silent) sight ??= await measure(page, signal);
  signal.throwIfAborted();
  const closer = cdp && sight && document && (await lookCloser(page, cdp, origin, sight, ends));
  signal.throwIfAborted();
  const { uncaughtErrors, consoleErrors, failedRequests } = seen;
  const stuck =
    sight === undefined && document !== undefined && failure === undefined && !movesOn.has(page);
  const loop = use ? undefined : activity.loop();
  if (sight === undefined && loop === undefined && movesOn.has(page))
    unsettled ??= "it was on its way to another page when it was to be seen";
  const held = activity.requests.held().map((open) => ({
    method: open.method(),
    url: open.url().replace(`${origin}/`, "/").slice(0, 500),
    status: 0,
    reason: "it has not answered yet",
  }));
  const waiting = closer?.waiting;
  return {
    source: "headless",
    path,
    status: document?.status() ?? 0,
    contentType: document?.headers()["content-type"] ?? "",
    title: sight?.title ?? "",
    lang: sight?.lang,
    rendered: document !== undefined && (closer?.rendered ?? sight?.rendered ?? false),
    text: sight?.text ?? "",
    uncaughtErrors: [
      ...uncaughtErrors,
      ...(stuck ? [{ message: "The page does not answer: a script keeps it busy" }] : []),
    ],
    consoleErrors,
    failedRequests: [
      ...(document === undefined
        ? [{ method: "GET", url: path, status: 0, reason: failure ?? unsettled ?? "no answer" }]
        : []),
      ...failedRequests,
      ...(closer?.dead ?? []),
      // What is held open while the page shows all it has is long polling.
      ...(waiting ? held.slice(0, 5) : []),
    ],
    overlay: sight?.overlay || undefined,
    unsettled: stuck ? undefined : unsettled,
    loop,
    ...closer?.unread,
    waiting,
    links: closer && closer.links.length > 0 ? closer.links : undefined,
    ms: Math.round(performance.now() - started),
  };
}

const measure = (page: Page, signal: AbortSignal) =>
  until(
    page.evaluate<Sight>(`(${MEASURE})()`),
    AbortSignal.any([signal, AbortSignal.timeout(MEASURE_MS)]),
  ).catch((error: unknown) => {
    if (/context was destroyed|navigat/i.test(String(error))) movesOn.add(page);
    return undefined;
  });

/** Pages that were on their way to another document when they were measured: they do answer. */
const movesOn = new WeakSet<Page>();

/**
 * Milliseconds of its own time for which a page is looked at that asks to be opened anew, as a board on a wall does;
 * without end where it does not. One that does so at once goes round in circles.
 */
async function endOf(page: Page, document: Response | undefined): Promise<number> {
  const warning = await page
    .evaluate<string | undefined>(
      `document.querySelector('meta[http-equiv="refresh" i]')?.getAttribute("content") ?? undefined`,
    )
    .catch(() => undefined);
  const seconds = Number.parseFloat(warning ?? document?.headers()["refresh"] ?? "");
  if (!(seconds >= 1)) return Infinity;
  return seconds < 20 ? 0 : seconds * 500;
}

const firstLine = (text: string) => (text.split("\n")[0] ?? "").slice(0, 500);
