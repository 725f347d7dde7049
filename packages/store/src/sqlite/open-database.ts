import { closeSync, openSync } from "node:fs";
import { join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import { storeError, toStoreError } from "../store-error.ts";
import { makeFolder } from "./make-folder.ts";

export const DATABASE_FILE = "treadle.sqlite";
const LOCK_FILE = "treadle.lock";

/** How long a reader of another process may hold us up. */
const BUSY_MS = 2_000;

export interface OpenDatabase {
  database: DatabaseSync;
  /** Lets another process have the folder. The database itself is closed by Kysely. */
  unlock(): void;
}

/**
 * Opens the database of a data folder, durable (every commit is synced) and readable by its owner alone.
 * One process at a time: log numbers are given out in memory.
 * @param maxBytes refuses to grow past this size, as a full disk does.
 * @throws StoreError
 */
export function openDatabase(directory: string, maxBytes?: number): OpenDatabase {
  let unlock: (() => void) | undefined;
  try {
    makeFolder(directory);
    unlock = lock(directory);
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
    unlock?.();
    throw toStoreError(error, directory);
  }
}

/** The journal files beside a database get its permissions, so that it is enough to create this one narrowly. */
function openFile(path: string): DatabaseSync {
  closeSync(openSync(path, "a", 0o600));
  return new DatabaseSync(path);
}

/** An exclusive transaction on a file of its own: the kernel ends it with the process, however that dies. */
function lock(directory: string): () => void {
  const file = openFile(join(directory, LOCK_FILE));
  try {
    file.exec("begin exclusive");
  } catch (error) {
    file.close();
    const failure = toStoreError(error, directory);
    throw failure.code === "busy" ? storeError("busy", directory) : failure;
  }
  return () => file.close();
}
