import type { ProjectPath } from "@treadle/protocol";
import { checkPath, WorkspaceError } from "@treadle/workspace";
import { sentence } from "@treadle/protocol/sentences";
import { ApiFailure, notFound } from "@treadle/common";

/** Whether a path in an address may be a folder. */
type Named = "file" | "any";

/**
 * The project path in an address, decoded once.
 * @throws WorkspaceError `path` if it must not be accessed (A18), `not-a-file` if a file is
 * expected and the path ends with a slash
 */
export function filePathOf(url: string, project: string, named: Named): ProjectPath {
  const { pathname } = new URL(url);
  const before = `/api/projects/${encodeURIComponent(project)}/files/`;
  // With another encoding, a different part of the address would be taken for the path (A68).
  if (!pathname.startsWith(before)) throw notFound("address");
  const written = decoded(pathname.slice(before.length));
  const path = checkPath(written);
  if (named === "file" && written.endsWith("/"))
    throw new WorkspaceError(
      "not-a-file",
      sentence("path-is-folder", { path: JSON.stringify(written) }),
    );
  return path;
}

function decoded(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    throw new ApiFailure(400, "path", sentence("path-malformed"));
  }
}
