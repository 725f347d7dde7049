import type { ProjectPath } from "@treadle/protocol";

/**
 * Whether a file that failed to open really does not exist. A file may be opened just before it is written, and the list of
 * files may be outdated, so the log takes precedence.
 * @param change the last change in the log; undefined if there is none
 */
export function isGone(
  path: ProjectPath,
  files: readonly { path: ProjectPath }[],
  change: "written" | "removed" | undefined,
): boolean {
  return change === undefined ? files.every((one) => one.path !== path) : change === "removed";
}
