import { ApiFailure } from "@treadle/common";

const FULL = "The disk is full. Free some space and try again.";
const CLOSED = "The data folder cannot be written. Change its permissions, or the disk's.";
const SENTENCES: Record<string, string> = {
  ENOSPC: FULL,
  EDQUOT: FULL,
  EROFS: CLOSED,
  EACCES: CLOSED,
  EPERM: CLOSED,
  EIO: "The disk failed. Check it, and make a backup on another one.",
};

/** Explains to a person why a file could not be written (F9), or undefined if the disk is not the cause. */
export function diskFailure(error: unknown): ApiFailure | undefined {
  const { code, syscall } = (error ?? {}) as NodeJS.ErrnoException;
  const sentence =
    typeof syscall !== "string"
      ? undefined
      : // What Node's own recursive `mkdir` makes of any other reason.
        code === "ENOENT" && syscall === "mkdir"
        ? CLOSED
        : SENTENCES[code ?? ""];
  return sentence === undefined
    ? undefined
    : new ApiFailure(507, "disk", `${sentence} (${code}) What was there before is safe.`);
}
