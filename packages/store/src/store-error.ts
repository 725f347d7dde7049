import { StoreError, type StoreErrorCode } from "./types.ts";

/** SQLite's primary result codes that mean something to a person (https://sqlite.org/rescode.html). */
const SQLITE: Record<number, StoreErrorCode> = {
  5: "busy",
  6: "busy",
  8: "not-writable",
  11: "corrupt",
  13: "full",
  14: "not-writable",
  23: "not-writable",
  26: "corrupt",
};

const SYSTEM: Record<string, StoreErrorCode> = {
  EACCES: "not-writable",
  EPERM: "not-writable",
  EROFS: "not-writable",
  ENOTDIR: "not-writable",
  EEXIST: "not-writable",
  ENOENT: "not-writable",
  ELOOP: "not-writable",
  ENOSPC: "full",
  EDQUOT: "full",
};

const SENTENCES: Record<StoreErrorCode, (place: string) => string> = {
  "not-writable": (place) =>
    `The data folder ${place} cannot be written. Choose another with --data, or change its permissions.`,
  full: (place) =>
    `The disk that holds ${place} is full. What was kept is safe; free some space and go on.`,
  corrupt: (place) =>
    `The database in ${place} is damaged. Move treadle.sqlite away to start anew; the projects' files are not touched.`,
  newer: (place) =>
    `The database in ${place} was written by a newer Treadle. Update Treadle, or choose another folder with --data.`,
  busy: (place) =>
    `Another Treadle is using the data folder ${place}. Stop it, or choose another folder with --data.`,
  failed: (place) => `The database in ${place} failed.`,
};

/** Converts any error into the only error type that leaves this package. */
export function toStoreError(error: unknown, place: string): StoreError {
  if (error instanceof StoreError) return error;
  const code = codeOf(error);
  const reason = code === "failed" && error instanceof Error ? ` ${error.message}` : "";
  return new StoreError(code, SENTENCES[code](place) + reason, { cause: error });
}

/** A store error of this package's own, with the sentence that belongs to its code. */
export function storeError(code: StoreErrorCode, place: string): StoreError {
  return new StoreError(code, SENTENCES[code](place));
}

function codeOf(error: unknown): StoreErrorCode {
  if (typeof error !== "object" || error === null) return "failed";
  const { errcode, code } = error as { errcode?: unknown; code?: unknown };
  // The low byte is the primary code; the other bytes name the place in SQLite.
  if (typeof errcode === "number") return SQLITE[errcode & 0xff] ?? "failed";
  if (typeof code === "string") return SYSTEM[code] ?? "failed";
  return "failed";
}
