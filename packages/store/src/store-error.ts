import { sentence } from "@treadle/protocol/sentences";
import { StoreError, type StoreErrorCode } from "./types.ts";

/**
 * SQLite's primary result codes that have their own error code here
 * (https://sqlite.org/rescode.html).
 */
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
  ECONNREFUSED: "unreachable",
  ECONNRESET: "unreachable",
  ENOTFOUND: "unreachable",
  EAI_AGAIN: "unreachable",
  EHOSTUNREACH: "unreachable",
  ENETUNREACH: "unreachable",
  ETIMEDOUT: "unreachable",
  EPIPE: "unreachable",
};

/** Prefixes of PostgreSQL's error codes that have their own error code here (its documentation, appendix A). */
const POSTGRES: readonly [string, StoreErrorCode][] = [
  ["08", "unreachable"],
  ["28", "unreachable"],
  ["3D000", "unreachable"],
  ["53100", "full"],
  ["53300", "unreachable"],
  ["57P", "unreachable"],
];

/** Converts any error into the only error type that leaves this package. */
export function toStoreError(error: unknown, place: string): StoreError {
  if (error instanceof StoreError) return error;
  const code = codeOf(error);
  const why = error instanceof Error ? error.message : String(error);
  const what =
    code === "failed" || code === "unreachable"
      ? sentence(`store-${code}`, { place, why })
      : sentence(`store-${code}`, { place });
  return new StoreError(code, what, { cause: error });
}

/** Creates a store error with the sentence for its code. */
export const storeError = (
  code: Exclude<StoreErrorCode, "failed" | "unreachable">,
  place: string,
): StoreError => new StoreError(code, sentence(`store-${code}`, { place }));

function codeOf(error: unknown): StoreErrorCode {
  if (typeof error !== "object" || error === null) return "failed";
  const { errcode, code } = error as { errcode?: unknown; code?: unknown };
  // The low byte is the primary code; the other bytes are the extended code.
  if (typeof errcode === "number") return SQLITE[errcode & 0xff] ?? "failed";
  if (typeof code !== "string") return "failed";
  return SYSTEM[code] ?? POSTGRES.find(([begin]) => code.startsWith(begin))?.[1] ?? "failed";
}
