import { chmodSync, closeSync, openSync } from "node:fs";
import { join } from "node:path";
import { backup, DatabaseSync } from "node:sqlite";
import { DATABASE_FILE } from "./open-database.ts";

/**
 * Copies the SQLite database of a data folder in a consistent state, even while a server is writing to it.
 * @param to a path that does not exist yet; the copy is readable by its owner alone
 */
export async function snapshotSqlite(directory: string, to: string): Promise<void> {
  closeSync(openSync(to, "wx", 0o600));
  const database = new DatabaseSync(join(directory, DATABASE_FILE), { readOnly: true });
  try {
    await backup(database, to);
    chmodSync(to, 0o600);
  } finally {
    database.close();
  }
}

/** Why a data folder's database cannot be used; undefined if it is intact. */
export function faultOfDatabase(directory: string): string | undefined {
  try {
    const database = new DatabaseSync(join(directory, DATABASE_FILE), { readOnly: true });
    try {
      const [row] = database.prepare("pragma integrity_check(1)").all();
      const result = String(row?.["integrity_check"]);
      if (result !== "ok") return result;
      database.prepare("select count(*) from projects").get();
      return undefined;
    } finally {
      database.close();
    }
  } catch (error) {
    return (error as Error).message;
  }
}
