import { sentence } from "@treadle/protocol/sentences";
import { WorkspaceError, type WorkspaceErrorCode } from "../types.ts";

const CODES: Record<string, WorkspaceErrorCode> = {
  ENOENT: "missing",
  EEXIST: "exists",
  ENOTEMPTY: "exists",
  EISDIR: "not-a-file",
  ENOTDIR: "not-a-folder",
  ELOOP: "path",
  EFBIG: "too-large",
  ENOSPC: "no-space",
  EDQUOT: "no-space",
  EROFS: "read-only",
  EACCES: "read-only",
  EPERM: "read-only",
};

/** Converts a system error to a WorkspaceError whose message names the project-relative path. */
export function failure(error: unknown, path: string): WorkspaceError {
  if (error instanceof WorkspaceError) return error;
  const { code = "", message = String(error) } = error as NodeJS.ErrnoException;
  const known = CODES[code];
  const named = { path: JSON.stringify(path === "" ? "." : path) };
  switch (known) {
    case "missing":
      return new WorkspaceError("missing", sentence("path-missing", named));
    case "exists":
      return new WorkspaceError("exists", sentence("path-exists", named));
    case "not-a-file":
      return new WorkspaceError("not-a-file", sentence("path-is-folder", named));
    case "not-a-folder":
      return new WorkspaceError("not-a-folder", sentence("path-below-file", named));
    case "path":
      return new WorkspaceError("path", sentence("path-through-link", named));
    case "no-space":
      return new WorkspaceError("no-space", sentence("path-no-space", named));
    case "read-only":
      return new WorkspaceError("read-only", sentence("path-read-only", named));
    case "too-large":
      return new WorkspaceError("too-large", sentence("path-would-be-too-large", named));
    default:
      if (code === "ENAMETOOLONG")
        return new WorkspaceError("path", sentence("path-name-too-long", named));
      if (code === "EIO") return new WorkspaceError("failed", sentence("path-disk-failed", named));
      return new WorkspaceError("failed", sentence("path-failed", { ...named, why: message }));
  }
}
