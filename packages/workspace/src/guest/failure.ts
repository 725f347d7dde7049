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
  const name = JSON.stringify(path === "" ? "." : path);
  switch (known) {
    case "missing":
      return new WorkspaceError("missing", `${name} does not exist`);
    case "exists":
      return new WorkspaceError("exists", `${name} exists already`);
    case "not-a-file":
      return new WorkspaceError("not-a-file", `${name} is a folder`);
    case "not-a-folder":
      return new WorkspaceError("not-a-folder", `a part of ${name} is not a folder`);
    case "path":
      return new WorkspaceError("path", `${name} goes through a link, which is not followed`);
    case "no-space":
      return new WorkspaceError(
        "no-space",
        `there is no space left to write ${name}; it stands as it was`,
      );
    case "read-only":
      return new WorkspaceError("read-only", `${name} may not be written`);
    case "too-large":
      return new WorkspaceError(
        "too-large",
        `${name} would be larger than a file may be here; it stands as it was`,
      );
    default:
      if (code === "ENAMETOOLONG")
        return new WorkspaceError("path", `${name} is too long for a name`);
      if (code === "EIO")
        return new WorkspaceError("failed", `the disk failed at ${name}; it stands as it was`);
      return new WorkspaceError("failed", `${name}: ${message}`);
  }
}
