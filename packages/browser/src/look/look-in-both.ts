import type { CodeWatch } from "@treadle/protocol/checks";
import type { PageReport } from "@treadle/protocol";
import type { Page } from "playwright-core";
import { placeProblems } from "../source-maps/place-problems.ts";
import { loadText } from "./load-text.ts";
import { lookAtPage, type PageLook } from "./look-at-page.ts";
import { readTexts, type Unread } from "./look-closer.ts";
import { little } from "./pass-time.ts";
import { pictureOf } from "./picture-of.ts";
import { undrawnOf } from "./undrawn.ts";
import { until } from "./wait-for-rest.ts";
import { watchCode } from "./watch-code.ts";
import { textInPlaceOfData, watchData } from "./watch-data.ts";
import { watchHiddenErrors } from "./watch-hidden-errors.ts";
import type { Look } from "./types.ts";

/** After the switch to dark the page's clock is moved on by this many steps of 20 ms, so that the page can redraw. */
const TURNING = 15;
/** Set on the window of a page whose scripts query the colour scheme. */
const ASKED = 'Symbol.for("treadle.asked-scheme")';

/**
 * Runs before a page's own scripts: one that queries the scheme only once must be opened in dark.
 */
export const WATCH_SCHEME = `{
  const plain = matchMedia;
  window.matchMedia = function (query) {
    if (/prefers-color-scheme/.test(query)) window[${ASKED}] = true;
    return plain.call(this, query);
  };
}`;

type Use<T> = (
  page: Page,
  signal: AbortSignal,
  annotate: (report: PageReport) => PageReport,
) => Promise<T>;

/**
 * Looks at a page in a browser that prefers light, and, if it may differ, in one that prefers dark.
 * Rejects like `lookAtPage`.
 * @param limits of each look
 * @param onPicture receives a picture of the page; if it cannot be read in dark, another one in
 * dark
 * @param withPage opens a fresh page, and closes it after its use
 */
export async function lookInBoth(
  {
    origin,
    path,
    source,
    answerMs,
    code,
  }: Pick<Look, "origin" | "path" | "source" | "answerMs"> & {
    code?: CodeWatch | undefined;
  },
  limits: Pick<PageLook, "ms" | "busySeconds" | "heldMs">,
  onPicture: ((bytes: Uint8Array, undrawn: readonly string[]) => void) | undefined,
  withPage: <T>(dark: boolean, use: Use<T>) => Promise<T>,
): Promise<PageReport> {
  const open = (page: Page, signal: AbortSignal) =>
    lookAtPage(page, { origin, path, signal, answerMs, ...limits, ahead: true });
  const show = async (page: Page, ends: AbortSignal) => {
    const picture = onPicture && (await pictureOf(page));
    ends.throwIfAborted();
    if (!picture) return;
    const undrawn = await undrawnOf(page);
    ends.throwIfAborted();
    onPicture(picture, undrawn);
  };
  const [report, again] = await withPage(false, async (page, ends, annotate) => {
    await page.addInitScript(WATCH_SCHEME);
    await watchHiddenErrors(page);
    await watchData(page);
    const watched = code && (await watchCode(page, code, { origin, source }));
    const opened = await placed(page, { origin, source }, await open(page, ends), ends);
    const seen = await withMissing(page, annotate(opened), ends);
    await watched?.report(ends);
    // Without an answer the browser shows its own error page.
    if (seen.status !== 0) await show(page, ends);
    return [seen, isSound(seen) && (await needsDark(page, ends))] as const;
  });
  if (!again) return report;
  const { unreadable, faint } = await withPage(true, async (page, ends) => {
    const seen = await open(page, ends);
    if (seen.unreadable) await show(page, ends);
    return seen;
  });
  const dark = unreadable ? { unreadable } : faint && { faint };
  return dark ? { ...report, dark } : report;
}

/**
 * Switches a page whose clock is stopped to dark, like a changed preference.
 * @returns whether it has to be opened in dark: some text is unreadable now, or its scripts query
 * the scheme at the start
 */
async function needsDark(page: Page, ends: AbortSignal): Promise<boolean> {
  try {
    const asked = await until(page.evaluate<boolean>(`!!window[${ASKED}]`), ends);
    if (asked) return true;
    const cdp = await until(page.context().newCDPSession(page), ends);
    await until(page.emulateMedia({ colorScheme: "dark" }), ends);
    for (let moment = 0; moment < TURNING; moment++) await little(cdp, ends);
    const read = await readTexts(page, ends);
    await until(page.emulateMedia({ colorScheme: "light" }), ends);
    return isAmiss(read?.unread);
  } catch {
    // The page responded before, so its report stands.
    return false;
  }
}

/** Adds what the page shows in place of data from an unreachable host. */
async function withMissing(page: Page, report: PageReport, ends: AbortSignal): Promise<PageReport> {
  if (!report.wanted?.some((one) => one.for === "data")) return report;
  const inPlaceOfData = await until(textInPlaceOfData(page), ends);
  return inPlaceOfData === undefined ? report : { ...report, inPlaceOfData };
}

/** Converts positions of errors to the project's own files. */
export async function placed(
  page: Page,
  { origin, source }: Pick<Look, "origin" | "source">,
  report: PageReport,
  ends: AbortSignal,
) {
  if (report.uncaughtErrors.length === 0 && report.overlay === undefined) return report;
  try {
    const cdp = await until(page.context().newCDPSession(page), ends);
    const load = (path: string) => loadText(cdp, origin + path, ends);
    return await placeProblems(report, origin, load, async (path) => source?.(path));
  } catch {
    return report;
  }
}

/** Whether a page works well enough for its dark colours to matter. */
const isSound = (report: PageReport) =>
  report.rendered &&
  report.status < 400 &&
  /html/i.test(report.contentType) &&
  report.unsettled === undefined &&
  report.overlay === undefined &&
  report.unreadable === undefined &&
  report.uncaughtErrors.length === 0;

const isAmiss = (unread: Unread | undefined): boolean =>
  unread?.unreadable !== undefined || unread?.faint !== undefined;
