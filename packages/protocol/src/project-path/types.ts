declare const spelling: unique symbol;

/**
 * A normalised project path: parts joined by `/`, none of them empty, `.` or `..`; `""` is the
 * project's own folder. Two paths name the same file only if they are equal. Created only at
 * boundaries (an address, a tool's input, a message of the page, a name from a sandbox); a plain
 * string is not assignable.
 */
export type ProjectPath = string & { readonly [spelling]: "project path" };

/** Why a path is invalid, as the code of a sentence without values: a phrase that follows the path. */
export type PathFault =
  | "path-overlong"
  | "path-with-nul"
  | "path-absolute"
  | "path-with-backslash"
  | "path-percent-encoded"
  | "path-outside"
  | "path-part-overlong";

/** A parsed path, or the reason why it is invalid. */
export type ReadPath = { ok: true; path: ProjectPath } | { ok: false; fault: PathFault };
