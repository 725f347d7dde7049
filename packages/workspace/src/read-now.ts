import type { ProjectPath } from "@treadle/protocol";
import { WorkspaceError, type FileContent, type Workspace } from "./types.ts";

/** Reads the current file; undefined if it does not exist. Rejects for any other reason. */
export function readNow(
  { files }: Pick<Workspace, "files">,
  path: ProjectPath,
): Promise<FileContent | undefined> {
  return files.read(path).catch((error: unknown) => {
    if (error instanceof WorkspaceError && error.code === "missing") return undefined;
    throw error;
  });
}

/** A version for `If-Match` and the page, for an existing or missing file. */
export const versionNow = (now: FileContent | undefined): string => now?.version ?? "absent";

/** The text, if it is UTF-8 without a NUL; otherwise undefined. */
export function textOf(bytes: Uint8Array): string | undefined {
  // A NUL is valid UTF-8, but not for an editor (F21).
  if (bytes.includes(0)) return undefined;
  try {
    return new TextDecoder("utf-8", { fatal: true, ignoreBOM: true }).decode(bytes);
  } catch {
    return undefined;
  }
}
