import { ApiFailure } from "@treadle/common";
import { sentence, type SentenceCode } from "@treadle/protocol/sentences";

const REASONS = {
  ENOSPC: "disk-full",
  EDQUOT: "disk-full",
  EROFS: "disk-closed",
  EACCES: "disk-closed",
  EPERM: "disk-closed",
  EIO: "disk-failed",
} satisfies Record<string, SentenceCode>;

const isKnown = (code: string): code is keyof typeof REASONS => Object.hasOwn(REASONS, code);

/** The failure if the disk is why a file could not be written (F9); otherwise undefined. */
export function diskFailure(error: unknown): ApiFailure | undefined {
  const { code = "", syscall } = (error ?? {}) as NodeJS.ErrnoException;
  if (typeof syscall !== "string") return undefined;
  // Node's recursive `mkdir` reports missing permissions and read-only disks as ENOENT.
  const isClosed = code === "ENOENT" && syscall === "mkdir";
  const reason = isClosed ? "disk-closed" : isKnown(code) ? REASONS[code] : undefined;
  return reason && new ApiFailure(507, "disk", sentence(reason, { reason: code }));
}
