import { ApiFailure } from "../common/api-failure.ts";

/** The project's path in an address, decoded once. The workspace decides whether it may be touched (A18). */
export function filePathOf(url: string, project: string): string {
  const { pathname } = new URL(url);
  const before = `/api/projects/${encodeURIComponent(project)}/files/`;
  try {
    return decodeURIComponent(pathname.slice(before.length));
  } catch {
    throw new ApiFailure(400, "path", "The path in the address is not well-formed.");
  }
}
