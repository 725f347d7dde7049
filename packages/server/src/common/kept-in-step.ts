import { readProjectPath } from "@treadle/protocol/project-path";
import { isDataFile, isSecretFile, leadsThroughForeign } from "@treadle/workspace";

/**
 * Whether a file may be synchronized between a project and a folder. Excludes installed packages, repositories, secrets,
 * and data of a running app, which could be copied in the middle of a write. Which other files are sources depends on
 * the project and the folder, not on names.
 * @param path relative to the project, as reported by a disk or a server
 */
export function mayBeKeptInStep(path: string): boolean {
  const read = readProjectPath(path);
  return (
    read.ok && !leadsThroughForeign(read.path) && !isSecretFile(read.path) && !isDataFile(read.path)
  );
}
