declare const spelling: unique symbol;

/**
 * A path of a project in its one spelling: parts joined by `/`, none of them empty, `.` or `..`; `""` is the project's own
 * folder. Two of them name the same file only if they are equal. Made where a path comes in (an address, a tool's input, a
 * message of the page, a name from a sandbox) and nowhere else; a plain string is none.
 */
export type ProjectPath = string & { readonly [spelling]: "project path" };

/** A parsed path, or the reason why it is invalid: a phrase that follows the path, such as "holds a NUL character". */
export type ReadPath = { ok: true; path: ProjectPath } | { ok: false; reason: string };
