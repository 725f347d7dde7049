import type { ProjectPath } from "@treadle/protocol";

/**
 * Whether a file that could not be opened is really not there. One that is opened as it begins to be written is not there yet,
 * and a list of files may be of before: what the log says of it goes first.
 * @param change what the log says of it last; absent: nothing
 */
export function isGone(
  path: ProjectPath,
  files: readonly { path: ProjectPath }[],
  change: "written" | "removed" | undefined,
): boolean {
  return change === undefined ? files.every((one) => one.path !== path) : change === "removed";
}
