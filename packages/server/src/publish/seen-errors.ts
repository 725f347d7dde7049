import type { AppError } from "@treadle/protocol";
import type { KeptSeen } from "./kept-publication.ts";

/** Errors that are told and kept, the newest. */
export const ERRORS_KEPT = 40;
/** Characters of one; a browser's stack is cut before it comes here. */
const TEXT = 600;

export type NewError = Omit<AppError, "at" | "count">;

/** Counts an error: the same of one release is one, and stands in front again. */
export function addError(seen: KeptSeen, error: NewError, at: number): void {
  const text = error.text.slice(0, TEXT);
  const isSame = (one: AppError) =>
    one.release === error.release && one.kind === error.kind && one.text === text;
  const before = seen.newest.find(isSame);
  seen.errors++;
  seen.newest = [
    { ...before, ...error, text, at, count: (before?.count ?? 0) + 1 },
    ...seen.newest.filter((one) => one !== before),
  ].slice(0, ERRORS_KEPT);
}
