import type { ProjectPath } from "@treadle/protocol";
import { isSqliteFile, SQLITE_BEGINNING } from "@treadle/protocol/project-path";
import type { FileStream, Workspace } from "@treadle/workspace";
import { takeOut } from "./transfer-database.ts";

/**
 * A consistent copy of an app's SQLite database. Its file alone may lack recent changes, which are
 * in a log beside it.
 * @returns undefined if it is no SQLite database, or cannot be queried: then only the file is
 * available
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
