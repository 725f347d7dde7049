import { join } from "node:path";
import type { DatabaseSync } from "node:sqlite";
import { toStoreError } from "../store-error.ts";
import { lockFolder } from "./lock-folder.ts";
import { openFile } from "./open-file.ts";

export const DATABASE_FILE = "treadle.sqlite";

/** How long a reader in another process may block us, in milliseconds. */
const BUSY_MS = 2_000;

export interface OpenDatabase {
  database: DatabaseSync;
  /** Releases the folder for other processes. Kysely closes the database itself. */
  unlock(): void;
}

/**
 * Opens the database of a data folder, durable (every commit is synced) and readable by its owner alone.
 * One process at a time: followers of the log hear only of what their own process appends.
 * @param maxBytes refuses to grow past this size, as a full disk does.
 * @throws StoreError
 */
export function openDatabase(directory: string, maxBytes?: number): OpenDatabase {
  const unlock = lockFolder(directory);
  try {
    const database = openFile(join(directory, DATABASE_FILE));
    database.exec(`
      pragma journal_mode = wal;
      pragma synchronous = full;
      pragma foreign_keys = on;
      pragma busy_timeout = ${BUSY_MS};
      pragma journal_size_limit = 16777216;
    `);
    if (maxBytes !== undefined)
      database.exec(`pragma max_page_count = ${Math.max(1, Math.floor(maxBytes / 4096))}`);
    return { database, unlock };
  } catch (error) {
    unlock();
    throw toStoreError(error, directory);
  }
}
