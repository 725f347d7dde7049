import { headOf } from "@treadle/protocol/safe-text";
import type { Workspace } from "@treadle/workspace";
import { WorkspaceError } from "@treadle/workspace";
import { decodeText } from "../text/decode-text.ts";
import { CHECKS_FILE, CHECKS_LENGTH, parseChecks, type Checks } from "./parse-checks.ts";

/**
 * Reads the project's checks from its file. An empty version means that the file does not exist.
 * Rejects if the workspace is gone.
 */
export async function readChecks(workspace: Workspace): Promise<Checks & { version: string }> {
  try {
    const { bytes, version } = await workspace.files.read(CHECKS_FILE);
    return { ...parseChecks(headOf(decodeText(bytes) ?? "", CHECKS_LENGTH)), version };
  } catch (error) {
    if (!(error instanceof WorkspaceError) || error.code === "stopped" || error.code === "sandbox")
      throw error;
    return { ...parseChecks(""), version: "" };
  }
}
