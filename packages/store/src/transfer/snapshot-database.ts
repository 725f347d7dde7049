import { existsSync } from "node:fs";
import { join } from "node:path";
import { isInPostgres } from "../open-engine.ts";
import { DATABASE_FILE } from "../sqlite/open-database.ts";
import { snapshotSqlite } from "../sqlite/snapshot.ts";
import { storeError } from "../store-error.ts";
import { copyFromPostgres } from "./move-store.ts";

/**
 * Copies the database of a data folder in a consistent state to a SQLite file, even while a server is writing to it.
 * @param to a path that does not exist yet; the copy is readable by its owner alone
 * @param database the address of the PostgreSQL database, if the folder's projects are in one
 * @throws StoreError `moved` if they are in PostgreSQL and its address is not given
 */
export async function snapshotDatabase(
  directory: string,
  to: string,
  database: string | undefined,
): Promise<void> {
  const hasSqlite = existsSync(join(directory, DATABASE_FILE));
  if (!isInPostgres(directory) && (hasSqlite || !database)) return snapshotSqlite(directory, to);
  if (!database) throw storeError("moved", directory);
  await copyFromPostgres(database, to);
}
