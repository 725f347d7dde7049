import { existsSync } from "node:fs";
import { join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import { knownKey } from "./secrets/load-key.ts";
import { createSealer } from "./secrets/seal.ts";
import { settingValue } from "./secrets/secret-settings.ts";
import { DATABASE_FILE } from "./sqlite/open-database.ts";
import { toStoreError } from "./store-error.ts";

/**
 * The settings of a data folder that another process may have open, read once and never written.
 * A folder that holds no database yet has no settings.
 * @throws StoreError
 */
export function readSettings(directory: string): Map<string, unknown> {
  const path = join(directory, DATABASE_FILE);
  const settings = new Map<string, unknown>();
  if (!existsSync(path)) return settings;
  try {
    const database = new DatabaseSync(path, { readOnly: true });
    try {
      const table = database.prepare("select 1 from sqlite_master where name = 'settings'").get();
      if (!table) return settings;
      const key = knownKey(directory);
      const sealer = key && createSealer(key);
      for (const row of database.prepare("select key, value from settings").all()) {
        const name = String(row.key);
        const value = settingValue(name, String(row.value), () => sealer);
        if (value !== undefined) settings.set(name, value);
      }
      return settings;
    } finally {
      database.close();
    }
  } catch (error) {
    throw toStoreError(error, directory);
  }
}
