import type { ProjectPath } from "@treadle/protocol";
import { readProjectPath } from "@treadle/protocol/project-path";

/**
 * A path of a project as the watcher tells it, however the page wrote it. What is none stays as it is: it names no file,
 * and the workspace refuses it.
 */
export function watchedPath(path: string): ProjectPath {
  const read = readProjectPath(path);
  return read.ok ? read.path : (path as ProjectPath);
}
