import { sentence } from "@treadle/protocol/sentences";
import type { ProjectPath } from "@treadle/protocol";
import { readProjectPath } from "@treadle/protocol/project-path";
import { WorkspaceError } from "./types.ts";

/** Marks a path as normalised: the kernel or git composed it from names. */
export const fromDisk = (path: string): ProjectPath => path as ProjectPath;

/**
 * Checks and normalises a project-relative path; `""` is the project's folder.
 * @throws WorkspaceError `path` if `readProjectPath` refuses it
 */
export function checkPath(path: string): ProjectPath {
  const read = readProjectPath(path);
  if (read.ok) return read.path;
  throw new WorkspaceError(
    "path",
    sentence("path-invalid", {
      path: JSON.stringify(path.slice(0, 200)),
      reason: sentence(read.fault),
    }),
  );
}
