import { NO_ANSWER } from "@treadle/protocol/evidence";
import type { PageReport } from "@treadle/protocol";
import type { Page, Response } from "playwright-core";
import { measure, type Sight } from "@treadle/probe";
import { lookCloser } from "./look-closer.ts";
import { observe } from "./observe.ts";
import { passTime } from "./pass-time.ts";
import { KeptBusy, NotAtRest, until, watchActivity } from "./wait-for-rest.ts";

/**
 * Time limit for the document's response, in milliseconds, during which nothing else moves; the
 * same as for the server's first answer (the agent's `getPage`).
 */
const ANSWER_MS = 60_000;
/**
 * Time limit for measuring a page, in milliseconds; a page that exceeds it is blocked by its own
 * script.
 */
const MEASURE_MS = 15_000;

/** Waits for the page after each action. Both reject with the signal's reason. */
export interface PageRest {
  /** Resolves when it is idle again. */
  settled(): Promise<void>;
  /** Resolves when its requests are answered. */
  answered(): Promise<void>;
}

export interface PageLook {
  origin: string;
  path: string;
  signal: AbortSignal;
  /** Time limit in milliseconds; a page that reaches it counts as not seen. */
  ms: number;
  /** Time limit for the first byte of the document, in milliseconds; default 60,000. */
  answerMs?: number | undefined;
  /** Processor seconds after which an unresponsive page counts as blocked by a script. */
  busySeconds?: number | undefined;
  /** Milliseconds after which a script's unanswered request counts as held open. */
  heldMs?: number | undefined;
  /** Whether to advance its clock, after which it cannot be used, and to request its links. */
  ahead?: boolean;
  /** Called once the page is idle; its effects on the page are part of the report. Its rejections are ignored. */
  use?: (rest: PageRest, signal: AbortSignal) => Promise<void>;
}

/**
 * Opens a page, waits until it is idle, and reports on it. Rejects only with the signal's reason.
 */
export async function lookAtPage(page: Page, request: PageLook): Promise<PageReport> {
  const { origin, path, signal, ms, busySeconds, heldMs, ahead = false, use } = request;
  // With a leading slash, the path cannot change the host.
  const address = `${origin}${path.startsWith("/") ? "" : "/"}${path}`;
  const started = performance.now();
  const answerMs = Math.min(ms, request.answerMs ?? ANSWER_MS);
  const seen = observe(page, origin);
  const activity = watchActivity(page, ahead, { busySeconds, heldMs });
  // The last navigation response is the displayed document.
  let document: Response | undefined;
  page.on("response", (response) => {
    const asked = response.request();
    if (asked.isNavigationRequest() && asked.frame() === page.mainFrame()) document = response;
  });
  const limit = AbortSignal.timeout(ms);
  // A crashed page never answers.
  const gone = new AbortController();
  page.on("crash", () => gone.abort(new Error("the page crashed")));
  const ends = AbortSignal.any([signal, limit, gone.signal]);
  const cdp = ahead ? await page.context().newCDPSession(page) : undefined;
  let failure: string | undefined;
  let unsettled: string | undefined;
  /** Whether the page cannot describe itself: a script blocks it, or there is no document yet. */
  let silent = false;
  let sight: Sight | undefined;
  try {
    await until(page.goto(address, { waitUntil: "commit", timeout: answerMs }), ends);
    await activity.settled(ends);
    if (cdp) await passTime(page, activity, cdp, await endOf(page, document), ends);
    else {
      sight = await sightOf(page, signal);
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
  if (!silent) sight ??= await sightOf(page, signal);
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
      // A request held open by a complete page is long polling.
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

const sightOf = (page: Page, signal: AbortSignal) =>
  until(page.evaluate(measure), AbortSignal.any([signal, AbortSignal.timeout(MEASURE_MS)])).catch(
    (error: unknown) => {
      if (/context was destroyed|navigat/i.test(String(error))) movesOn.add(page);
      return undefined;
    },
  );

/** Pages that were loading another document when they were measured; these do respond. */
const movesOn = new WeakSet<Page>();

/**
 * Milliseconds of page time for which a page is observed that reloads itself by a meta refresh, as
 * a wall display does; infinite otherwise. One that reloads at once is a loop.
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
