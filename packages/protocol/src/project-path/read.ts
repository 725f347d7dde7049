import type { PathFault, ProjectPath, ReadPath } from "./types.ts";

/** Maximum length of a path, in characters; longer ones are a mistake or an attack. */
const MAX_PATH = 1_024;
/** Maximum length of a name, in UTF-8 bytes: the limit of file systems. */
const MAX_NAME = 255;

/**
 * Parses a path as written: `./src//App.tsx` is `src/App.tsx`. Rejects paths that are absolute
 * (POSIX or Windows), leave the project, contain a NUL or a backslash, are percent-encoded, or too
 * long. Never throws.
 */
export function readProjectPath(written: string): ReadPath {
  if (written.length > MAX_PATH) return refused("path-overlong");
  if (written.includes("\0")) return refused("path-with-nul");
  if (written.startsWith("/") || /^[A-Za-z]:/.test(written)) return refused("path-absolute");
  if (written.includes("\\")) return refused("path-with-backslash");
  // A path that is still percent-encoded was meant for a URL; taking it literally would make a folder named "%2e%2e".
  if (/%2e%2e|%2f|%5c/i.test(written)) return refused("path-percent-encoded");
  const parts = written.split("/").filter((part) => part !== "" && part !== ".");
  if (parts.includes("..")) return refused("path-outside");
  if (parts.some((part) => bytesOf(part) > MAX_NAME)) return refused("path-part-overlong");
  return { ok: true, path: parts.join("/") as ProjectPath };
}

/** The project's own folder, which contains all others. */
export const PROJECT_FOLDER = "" as ProjectPath;

/** Parses a path that is known to be valid, such as a constant. Throws RangeError for any other. */
export function toProjectPath(written: string): ProjectPath {
  const read = readProjectPath(written);
  if (!read.ok) throw new RangeError(`${JSON.stringify(written.slice(0, 200))}: ${read.fault}`);
  return read.path;
}

/** The parent folder; the project's own folder is its own parent. */
export const folderOf = (path: ProjectPath): ProjectPath =>
  path.slice(0, Math.max(0, path.lastIndexOf("/"))) as ProjectPath;

/** Whether a path is the folder or below it, at any depth; everything is below the project's own folder. */
export const isUnder = (path: ProjectPath, folder: ProjectPath): boolean =>
  folder === PROJECT_FOLDER || path === folder || path.startsWith(`${folder}/`);

const refused = (fault: PathFault): ReadPath => ({ ok: false, fault });

/** The length in UTF-8. Half a surrogate pair is written as a character of three bytes. */
function bytesOf(text: string): number {
  let bytes = 0;
  for (const character of text) {
    const code = character.codePointAt(0)!;
    bytes += code < 0x80 ? 1 : code < 0x800 ? 2 : code < 0x10000 ? 3 : 4;
  }
  return bytes;
}

/** Resolves a path relative to a folder of the project. */
export const pathIn = (folder: ProjectPath, path: ProjectPath): ProjectPath =>
  folder === PROJECT_FOLDER ? path : (`${folder}/${path}` as ProjectPath);

/** The new path when `from`, which is the path or a parent of it, is renamed to `to`. */
export const movedPath = (path: ProjectPath, from: ProjectPath, to: ProjectPath): ProjectPath =>
  (to + path.slice(from.length)) as ProjectPath;
