import { readProjectPath } from "@treadle/protocol/project-path";
import { isDataFile, isSecretFile, leadsThroughForeign } from "@treadle/workspace";

/**
 * Whether a file may be kept in step between a project and a folder: neither installed packages and repositories, nor
 * secrets, nor what a running app keeps, which a copy in the midst of a write would break. Which of the others are sources
 * is decided by what is in the project and in the folder, and not by their names.
 * @param path relative to the project, as a disk or a server says it
 */
export function mayBeKeptInStep(path: string): boolean {
  const read = readProjectPath(path);
  return (
    read.ok && !leadsThroughForeign(read.path) && !isSecretFile(read.path) && !isDataFile(read.path)
  );
}
