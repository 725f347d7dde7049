import type { ProjectPath } from "@treadle/protocol";
import { readProjectPath } from "@treadle/protocol/project-path";

/** A file's URI for a language server. */
export const uriOf = (root: string, path: ProjectPath): string =>
  `${root}/${path.split("/").map(encodeURIComponent).join("/")}`;

/** The project file for a URI; undefined if it is outside the project or not a valid URI. */
export function pathOf(root: string, uri: unknown): ProjectPath | undefined {
  if (typeof uri !== "string" || !uri.startsWith(`${root}/`)) return undefined;
  try {
    const written = uri
      .slice(root.length + 1)
      .split("/")
      .map(decodeURIComponent);
    // An encoded slash inside a name would split it in two.
    if (written.some((name) => name.includes("/"))) return undefined;
    const read = readProjectPath(written.join("/"));
    return read.ok && read.path !== "" ? read.path : undefined;
  } catch {
    return undefined;
  }
}
