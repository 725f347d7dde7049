import { headOf } from "@treadle/protocol/safe-text";
import type { AppError } from "@treadle/protocol";
import type { StoredStatistics } from "./stored-publication.ts";

/** Errors that are told and kept, the newest. */
export const ERRORS_KEPT = 40;
/** Characters of one; a browser's stack is cut before it comes here. */
const TEXT = 600;

/** Of those, what browsers told: anybody can tell that, and it takes no place of what was seen here. */
export const BROWSER_ERRORS_KEPT = 15;

export type NewError = Omit<AppError, "at" | "count">;

/** Counts an error: the same of one release is one, and stands in front again. */
export function addError(seen: StoredStatistics, error: NewError, at: number): void {
  const text = headOf(error.text, TEXT);
  const isSame = (one: AppError) =>
    one.release === error.release && one.kind === error.kind && one.text === text;
  const before = seen.newest.find(isSame);
  seen.errors++;
  // Where it was thrown is told the first time alone.
  const stack = error.stack ?? before?.stack;
  seen.newest = withoutFlood([
    { ...before, ...error, stack, text, at, count: (before?.count ?? 0) + 1 },
    ...seen.newest.filter((one) => one !== before),
  ]).slice(0, ERRORS_KEPT);
}

/** What many browsers told stays before what was made up once: the one that was told least goes, of those the oldest. */
function withoutFlood(errors: AppError[]): AppError[] {
  const browserErrors = errors.filter(({ kind }) => kind === "browser");
  if (browserErrors.length <= BROWSER_ERRORS_KEPT) return errors;
  // The newest has not had the time to be told again.
  const least = browserErrors
    .slice(1)
    .reduce((left, right) => (right.count <= left.count ? right : left));
  return errors.filter((one) => one !== least);
}
