import type { ProjectPath } from "@treadle/protocol";
import { WorkspaceError, type Workspace } from "@treadle/workspace";
import { decodeText } from "../text/decode-text.ts";

/** A file's text; undefined if it does not exist, or is not text. */
export async function readText(
  workspace: Workspace,
  path: ProjectPath,
): Promise<string | undefined> {
  try {
    return decodeText((await workspace.files.read(path)).bytes);
  } catch (error) {
    if (error instanceof WorkspaceError && error.code !== "stopped" && error.code !== "sandbox")
      return undefined;
    throw error;
  }
}

/** Whether a file exists, whatever its content. */
export async function isThere(workspace: Workspace, path: ProjectPath): Promise<boolean> {
  try {
    await workspace.files.read(path, { limit: 1 });
    return true;
  } catch (error) {
    if (!(error instanceof WorkspaceError)) throw error;
    if (error.code === "stopped" || error.code === "sandbox") throw error;
    return error.code === "too-large";
  }
}
