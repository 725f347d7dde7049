import type { PageReport } from "@treadle/protocol";
import type { Page, Response } from "playwright-core";
import { MEASURE } from "../probe/measure.ts";
import { observe } from "./observe.ts";
import { until, watchActivity } from "./settle.ts";

/** Milliseconds for a page to say what it shows. One that does not is kept busy by a script of its own. */
const MEASURE_MS = 3_000;

interface Sight {
  title: string;
  lang?: string;
  rendered: boolean;
  text: string;
  overlay?: string;
}

/**
 * Opens a page, waits until it rests, and says what was seen, after about `ms` at most.
 * Rejects only with the signal's reason.
 * @param request.use is given the page once it rests, with what waits until it rests again; what it does belongs to the
 *   report. Its rejections do not
 */
export async function lookAtPage(
  page: Page,
  request: {
    origin: string;
    path: string;
    signal: AbortSignal;
    ms: number;
    use?: (settled: () => Promise<void>, signal: AbortSignal) => Promise<void>;
  },
): Promise<PageReport> {
  const { origin, path, signal, ms, use } = request;
  // Behind a slash nothing can name another host.
  const address = `${origin}${path.startsWith("/") ? "" : "/"}${path}`;
  const started = performance.now();
  const seen = observe(page, origin);
  const activity = watchActivity(page);
  // What answers a navigation last is the document that is shown.
  let document: Response | undefined;
  page.on("response", (response) => {
    const asked = response.request();
    if (asked.isNavigationRequest() && asked.frame() === page.mainFrame()) document = response;
  });
  const limit = AbortSignal.timeout(ms);
  const ends = AbortSignal.any([signal, limit]);
  let failure: string | undefined;
  const measure = () =>
    until(
      page.evaluate<Sight>(`(${MEASURE})()`),
      AbortSignal.any([signal, AbortSignal.timeout(MEASURE_MS)]),
    ).catch(() => undefined);
  let sight: Sight | undefined;
  try {
    await until(page.goto(address, { waitUntil: "commit", timeout: ms }), ends);
    await activity.settled(ends);
    sight = await measure();
    const blank = sight && !sight.rendered && !sight.overlay && seen.uncaughtErrors.length === 0;
    if (blank && (await activity.changed(ends))) {
      await activity.settled(ends);
      sight = undefined;
    }
    if (use) {
      await use(() => activity.settled(ends), ends);
      sight = undefined;
    }
  } catch (error) {
    signal.throwIfAborted();
    if (!limit.aborted) failure = error instanceof Error ? firstLine(error.message) : String(error);
  }
  sight ??= await measure();
  signal.throwIfAborted();
  const { uncaughtErrors, consoleErrors, failedRequests } = seen;
  const stuck = sight === undefined && document !== undefined && failure === undefined;
  return {
    source: "headless",
    path,
    status: document?.status() ?? 0,
    contentType: document?.headers()["content-type"] ?? "",
    title: sight?.title ?? "",
    ...(sight?.lang === undefined ? {} : { lang: sight.lang }),
    rendered: document !== undefined && (sight?.rendered ?? false),
    text: sight?.text ?? "",
    uncaughtErrors: [
      ...uncaughtErrors,
      ...(stuck ? [{ message: "The page does not answer: a script keeps it busy" }] : []),
    ],
    consoleErrors,
    failedRequests:
      document === undefined
        ? [
            { method: "GET", url: path, status: 0, reason: failure ?? "no answer" },
            ...failedRequests,
          ]
        : failedRequests,
    ...(sight?.overlay ? { overlay: sight.overlay } : {}),
    ms: Math.round(performance.now() - started),
  };
}

const firstLine = (text: string) => (text.split("\n")[0] ?? "").slice(0, 500);
