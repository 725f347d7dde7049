import { existsSync } from "node:fs";
import { join } from "node:path";
import { examineDatabase } from "./examine-database.ts";
import { isInPostgres } from "./open-engine.ts";
import { openStore } from "./open-store.ts";
import { DATABASE_FILE } from "./sqlite/open-database.ts";
import type { Finding } from "./types.ts";

/**
 * Checks the database of a data folder that no server has open. PostgreSQL keeps its pages and references intact by
 * itself, so there it only checks whether the database can be opened.
 * @param database the address of the PostgreSQL database, if the folder's projects are in one
 * @param repair see `examineDatabase`
 * @returns undefined if there is no database yet
 * @throws StoreError `busy` while a server has the folder open, `moved` if the address is missing, or any error of
 * opening it
 */
export async function examineStore(
  directory: string,
  database: string | undefined,
  repair: boolean,
): Promise<Finding[] | undefined> {
  if (isInPostgres(directory)) {
    await (await openStore({ directory, database })).close();
    return [];
  }
  if (!existsSync(join(directory, DATABASE_FILE))) return undefined;
  return examineDatabase(directory, repair);
}
