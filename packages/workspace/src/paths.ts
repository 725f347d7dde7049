import { WorkspaceError } from "./types.ts";

/** Longest path that is taken, in characters; longer ones are a mistake or an attack. */
const MAX_PATH = 1_024;

/**
 * A project-relative path in its one spelling: parts joined by `/`, no `.`; `""` is the project's folder itself.
 * @throws WorkspaceError `path` for what is absolute (POSIX or Windows), leaves the project, holds a NUL or a backslash,
 * names a part over 255 bytes, or is longer than 1,024 characters.
 */
export function checkPath(path: string): string {
  const refuse = (why: string): never => {
    throw new WorkspaceError("path", `${JSON.stringify(path.slice(0, 200))} ${why}`);
  };
  if (path.length > MAX_PATH) refuse("is too long for a path");
  if (path.includes("\0")) refuse("holds a NUL character");
  if (path.startsWith("/") || /^[A-Za-z]:/.test(path))
    refuse("is an absolute path; paths are relative to the project");
  if (path.includes("\\")) refuse("holds a backslash; parts of a path are separated by /");
  // A path that is still percent-encoded was meant for a URL; taking it literally would make a folder named "%2e%2e".
  if (/%2e%2e|%2f|%5c/i.test(path)) refuse("is percent-encoded");
  const parts: string[] = [];
  for (const part of path.split("/")) {
    if (part === "" || part === ".") continue;
    if (part === "..") refuse("leaves the project");
    if (Buffer.byteLength(part) > 255) refuse("has a name over 255 bytes");
    parts.push(part);
  }
  return parts.join("/");
}
