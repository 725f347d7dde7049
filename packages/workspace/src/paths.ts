import type { ProjectPath } from "@treadle/protocol";
import { readProjectPath } from "@treadle/protocol/project-path";
import { WorkspaceError } from "./types.ts";

/** A path that the kernel or git put together from names: it has one spelling. */
export const fromDisk = (path: string): ProjectPath => path as ProjectPath;

/**
 * A project-relative path in its one spelling; `""` is the project's folder itself.
 * @throws WorkspaceError `path` for what `readProjectPath` refuses
 */
export function checkPath(path: string): ProjectPath {
  const read = readProjectPath(path);
  if (read.ok) return read.path;
  throw new WorkspaceError("path", `${JSON.stringify(path.slice(0, 200))} ${read.reason}`);
}
