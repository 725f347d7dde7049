import type { ProjectPath } from "@treadle/protocol";
import { readProjectPath } from "@treadle/protocol/project-path";

/** A file's address, as a language server names it. */
export const uriOf = (root: string, path: ProjectPath): string =>
  `${root}/${path.split("/").map(encodeURIComponent).join("/")}`;

/** The project's file of an address; undefined for what lies elsewhere, or is no address at all. */
export function pathOf(root: string, uri: unknown): ProjectPath | undefined {
  if (typeof uri !== "string" || !uri.startsWith(`${root}/`)) return undefined;
  try {
    const written = uri
      .slice(root.length + 1)
      .split("/")
      .map(decodeURIComponent);
    // A slash that was written as a sign of a name would make two of it.
    if (written.some((name) => name.includes("/"))) return undefined;
    const read = readProjectPath(written.join("/"));
    return read.ok && read.path !== "" ? read.path : undefined;
  } catch {
    return undefined;
  }
}
