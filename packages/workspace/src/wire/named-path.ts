import type { ProjectPath } from "@treadle/protocol";
import { checkPath } from "../paths.ts";
import { FrameError, text, type ValueCheck } from "./checks.ts";

/** The kernel takes none that is longer. */
const MAX_PATH = 4_096;
const MAX_NAME = 255;

/**
 * The path of something in the project, as a guest names it: relative, its parts joined by `/`, none of them empty, `.` or
 * `..`. The one place where names from inside become paths: export, lists, changes, differences and search take them as
 * they are. No honest guest has another, so what throws here ends the sandbox. What a name holds besides (a backslash, a
 * line end, marks that turn text around) is for whoever shows it, or writes it where that means something.
 */
export const namedPath: ValueCheck<ProjectPath> = (value) => {
  if (typeof value !== "string" || value === "" || value.length > MAX_PATH) return refuse();
  if (value.includes("\0")) return refuse();
  for (const name of value.split("/"))
    if (name === "" || name === "." || name === ".." || name.length > MAX_NAME) return refuse();
  return value as ProjectPath;
};

/** Whether a path is one that a guest names; what is kept of an older build, or was cut, may be another. */
export function isNamedPath(path: string): boolean {
  try {
    namedPath(path);
    return true;
  } catch {
    return false;
  }
}

/** The same, or the project's own folder: the empty path. */
export const namedFolder: ValueCheck<ProjectPath> = (value) =>
  value === "" ? ("" as ProjectPath) : namedPath(value);

/** What the host asks about; WorkspaceError `path` where that is none of a project. */
export const askedPath: ValueCheck<ProjectPath> = (value) => checkPath(text(Infinity)(value));

const refuse = (): never => {
  throw new FrameError("a frame of the guest names what is no path of the project");
};
