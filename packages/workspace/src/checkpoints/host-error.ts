import { sentence } from "@treadle/protocol/sentences";
import { WorkspaceError } from "../types.ts";

const CODES = { ENOSPC: "no-space", EDQUOT: "no-space", EROFS: "read-only" } as const;

/** Converts a file system error of the checkpoint store into the workspace's error. */
export function toWorkspaceError(error: unknown): WorkspaceError {
  if (error instanceof WorkspaceError) return error;
  const { code = "", message } = error as NodeJS.ErrnoException;
  return new WorkspaceError(
    CODES[code as keyof typeof CODES] ?? "failed",
    sentence("checkpoint-store-failed", { why: message }),
  );
}
