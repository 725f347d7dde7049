import { existsSync } from "node:fs";
import { join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import { isInPostgres, placeOf } from "./open-engine.ts";
import { knownKey } from "./secrets/load-key.ts";
import { createSealer } from "./secrets/seal.ts";
import { settingValues } from "./secrets/secret-settings.ts";
import { DATABASE_FILE } from "./sqlite/open-database.ts";
import { toStoreError } from "./store-error.ts";

/**
 * The settings of a data folder that another process may have open, read once and never written. Empty for a folder
 * without a database, and for one whose projects are in PostgreSQL if no address is given.
 * @param database the address of the PostgreSQL database, if they are in one
 * @throws StoreError
 */
export async function readSettings(
  directory: string,
  database: string | undefined,
): Promise<Map<string, unknown>> {
  const isElsewhere = isInPostgres(directory);
  try {
    const rows = isElsewhere ? await readPostgres(database) : readSqlite(directory);
    const key = knownKey(directory);
    const sealer = key && createSealer(key);
    return settingValues(rows, () => sealer);
  } catch (error) {
    throw toStoreError(error, (isElsewhere && placeOf(database ?? "")) || directory);
  }
}

interface SettingRow {
  key: string;
  value: string;
}

function readSqlite(directory: string): SettingRow[] {
  const path = join(directory, DATABASE_FILE);
  if (!existsSync(path)) return [];
  const database = new DatabaseSync(path, { readOnly: true });
  try {
    const table = database.prepare("select 1 from sqlite_master where name = 'settings'").get();
    if (!table) return [];
    const rows = database.prepare("select key, value from settings").all();
    return rows.map(({ key, value }) => ({ key: String(key), value: String(value) }));
  } finally {
    database.close();
  }
}

async function readPostgres(database: string | undefined): Promise<SettingRow[]> {
  if (!database || placeOf(database) === undefined) return [];
  const { withClient } = await import("./postgres/with-client.ts");
  return withClient(database, async (client) => {
    const { rows } = await client.query<SettingRow>("select key, value from settings");
    return rows;
  });
}
