import type { ProjectPath } from "@treadle/protocol";
import { checkPath, WorkspaceError } from "@treadle/workspace";
import { sentence } from "@treadle/protocol/sentences";
import { ApiFailure, notFound } from "@treadle/common";

/** What a path in an address names: a file, or a file or folder. */
type Named = "file" | "any";

/**
 * The project's path in an address, decoded once.
 * @throws WorkspaceError `path` where it may not be touched (A18), `not-a-file` where a file is wanted and `a.txt/` is named
 */
export function filePathOf(url: string, project: string, named: Named): ProjectPath {
  const { pathname } = new URL(url);
  const before = `/api/projects/${encodeURIComponent(project)}/files/`;
  // Spelled in another way, another part of the address would be taken for the path (A68).
  if (!pathname.startsWith(before)) throw notFound("address");
  const written = decoded(pathname.slice(before.length));
  const path = checkPath(written);
  if (named === "file" && written.endsWith("/"))
    throw new WorkspaceError("not-a-file", `${JSON.stringify(written)} names a folder`);
  return path;
}

function decoded(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    throw new ApiFailure(400, "path", sentence("path-malformed"));
  }
}
