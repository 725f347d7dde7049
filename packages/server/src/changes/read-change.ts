import type { ProjectPath } from "@treadle/protocol";
import { WorkspaceError, type FileContent, type Workspace } from "@treadle/workspace";

/** Two checkpoints, or one and the files now. */
export interface Span {
  from: string;
  to?: string | undefined;
}

/** The current file, or undefined if it does not exist. */
export function readNow(workspace: Workspace, path: ProjectPath): Promise<FileContent | undefined> {
  return workspace.files.read(path).catch((error: unknown) => {
    if (error instanceof WorkspaceError && error.code === "missing") return undefined;
    throw error;
  });
}

/** What `If-Match` and the page call the version of a file that is there or not. */
export const versionNow = (now: FileContent | undefined): string => now?.version ?? "absent";

/** Its text, where it is text of the encoding that editors write. */
export function textOf(bytes: Uint8Array): string | undefined {
  // A NUL is valid UTF-8, but nothing that an editor should open (F21).
  if (bytes.includes(0)) return undefined;
  try {
    return new TextDecoder("utf-8", { fatal: true, ignoreBOM: true }).decode(bytes);
  } catch {
    return undefined;
  }
}
