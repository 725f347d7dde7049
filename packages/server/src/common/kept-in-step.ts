import { readProjectPath } from "@treadle/protocol/project-path";
import { isDataFile, isIgnored, isSecretFile } from "@treadle/workspace";

/**
 * Whether a file belongs to what is kept in step between a project and a folder: neither what tools make again, nor secrets,
 * nor what a running app keeps, which a copy in the midst of a write would break.
 * @param path relative to the project, as a disk or a server says it
 */
export function isKeptInStep(path: string): boolean {
  const read = readProjectPath(path);
  return read.ok && !isIgnored(read.path) && !isSecretFile(read.path) && !isDataFile(read.path);
}
