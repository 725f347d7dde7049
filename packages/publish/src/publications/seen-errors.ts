import { headOf } from "@treadle/protocol/safe-text";
import type { AppError } from "@treadle/protocol";
import type { StoredStatistics } from "./stored-publication.ts";

/** Maximum number of errors kept; older ones are dropped. */
export const ERRORS_KEPT = 40;
/** Maximum length of an error's text, in characters; a browser's stack is cut earlier. */
const TEXT = 600;

/**
 * Share of these for browser reports: anyone can send them, so they must not displace errors seen
 * here.
 */
export const BROWSER_ERRORS_KEPT = 15;

export type NewError = Omit<AppError, "at" | "count">;

/** Adds an error, or counts a repetition in the same release and moves it to the front. */
export function addError(seen: StoredStatistics, error: NewError, at: number): void {
  const text = headOf(error.text, TEXT);
  const isSame = (one: AppError) =>
    one.release === error.release && one.kind === error.kind && one.text === text;
  const before = seen.newest.find(isSame);
  seen.errors++;
  // Only the first occurrence has the stack.
  const stack = error.stack ?? before?.stack;
  seen.newest = withoutFlood([
    { ...before, ...error, stack, text, at, count: (before?.count ?? 0) + 1 },
    ...seen.newest.filter((one) => one !== before),
  ]).slice(0, ERRORS_KEPT);
}

/**
 * Keeps frequent reports over single, possibly invented ones: drops the rarest, and of those the
 * oldest.
 */
function withoutFlood(errors: AppError[]): AppError[] {
  const browserErrors = errors.filter(({ kind }) => kind === "browser");
  if (browserErrors.length <= BROWSER_ERRORS_KEPT) return errors;
  // The newest has had no time to be repeated.
  const least = browserErrors
    .slice(1)
    .reduce((left, right) => (right.count <= left.count ? right : left));
  return errors.filter((one) => one !== least);
}
