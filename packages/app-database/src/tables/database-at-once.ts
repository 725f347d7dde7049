import type { ProjectPath } from "@treadle/protocol";
import { isSqliteFile, SQLITE_BEGINNING } from "@treadle/protocol/project-path";
import type { FileStream, Workspace } from "@treadle/workspace";
import { takeOut } from "./transfer-database.ts";

/**
 * A copy of an app's SQLite database as it stands at one moment. Its file alone may lack all that was entered since the app
 * was started: what was written last stands in a log beside it.
 * @returns undefined where it is no such database, or one that cannot be asked: its file is all there is then
 */
export async function databaseAtOnce(
  workspace: Workspace,
  file: ProjectPath,
): Promise<FileStream | undefined> {
  if (!isSqliteFile(file) || !(await beginsAsDatabase(workspace, file))) return undefined;
  return takeOut(workspace, { do: "file-out", file }).catch(() => undefined);
}

async function beginsAsDatabase(workspace: Workspace, file: ProjectPath): Promise<boolean> {
  const { pieces } = await workspace.files.readStream(file);
  for await (const piece of pieces)
    return (
      Buffer.from(piece.subarray(0, SQLITE_BEGINNING.length)).toString("latin1") ===
      SQLITE_BEGINNING
    );
  return false;
}
