import type { ProjectPath } from "@treadle/protocol";
import { checkPath } from "../paths.ts";
import { FrameError, text, type ValueCheck } from "./checks.ts";

/** Maximum length of a path in the kernel. */
const MAX_PATH = 4_096;
const MAX_NAME = 255;

/**
 * A path in the project, as a guest names it: relative, with parts joined by `/`, none of them empty, `.` or `..`.
 * Names from the sandbox become paths only here; export, lists, changes, diffs and search use them unchanged. A genuine
 * guest sends no other paths, so an error here closes the sandbox. Other special characters (backslashes, line breaks,
 * bidirectional marks) are the responsibility of the code that shows the name or writes it.
 */
export const namedPath: ValueCheck<ProjectPath> = (value) => {
  if (typeof value !== "string" || value === "" || value.length > MAX_PATH) return refuse();
  if (value.includes("\0")) return refuse();
  for (const name of value.split("/"))
    if (name === "" || name === "." || name === ".." || name.length > MAX_NAME) return refuse();
  return value as ProjectPath;
};

/** Whether a guest could have named the path; stored paths of older versions, or truncated ones, may be invalid. */
export function isNamedPath(path: string): boolean {
  try {
    namedPath(path);
    return true;
  } catch {
    return false;
  }
}

/** As `namedPath`, or the project's root as the empty path. */
export const namedFolder: ValueCheck<ProjectPath> = (value) =>
  value === "" ? ("" as ProjectPath) : namedPath(value);

/** A path in a request of the host; throws WorkspaceError `path` if it is not a project path. */
export const askedPath: ValueCheck<ProjectPath> = (value) => checkPath(text(Infinity)(value));

const refuse = (): never => {
  throw new FrameError("a frame of the guest names what is no path of the project");
};
