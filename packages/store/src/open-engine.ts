import { existsSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import type { Engine } from "./engine.ts";
import { lockFolder } from "./sqlite/lock-folder.ts";
import { DATABASE_FILE } from "./sqlite/open-database.ts";
import { openSqlite } from "./sqlite/sqlite-engine.ts";
import { storeError, toStoreError } from "./store-error.ts";
import { quoted, tablesOf } from "./transfer/tables.ts";

/** A file that marks a data folder whose projects are in PostgreSQL, so that no SQLite database is begun there. */
const MARK_FILE = "stored-in-postgres";

export interface OpenedEngine {
  engine: Engine;
  /** How errors describe its location. */
  place: string;
  /** Call once there are projects: from then on only this database is opened for the folder. */
  claim(): void;
}

/**
 * Opens the database that holds a data folder's projects. The tables are not migrated yet.
 * @throws StoreError `unmoved` or `moved` if they are in the other database, `address`, and errors of opening it
 */
export async function openEngine(options: {
  directory: string;
  database?: string | undefined;
  isShared?: boolean | undefined;
  maxBytes?: number;
}): Promise<OpenedEngine> {
  const { directory, database, isShared, maxBytes } = options;
  if (!database) {
    if (isInPostgres(directory)) throw storeError("moved", directory);
    return { engine: openSqlite(directory, maxBytes), place: directory, claim: () => {} };
  }
  const place = placeOf(database);
  if (place === undefined) throw storeError("address", /^[a-z0-9+.-]*:/i.exec(database)?.[0] ?? "");
  if (!isInPostgres(directory) && holdsProjects(directory)) throw storeError("unmoved", directory);
  const unlock = lockFolder(directory, isShared);
  try {
    // Loaded only here: one person's SQLite needs none of it.
    const { openPostgres } = await import("./postgres/postgres-engine.ts");
    const engine = await openPostgres(database, place);
    const close = () => engine.close().finally(unlock);
    const claim = () => markFolder(directory, place);
    return { engine: { ...engine, close }, place, claim };
  } catch (error) {
    unlock();
    throw toStoreError(error, place);
  }
}

/** Host and database of an address, without its password; undefined if it is not an address of PostgreSQL. */
export function placeOf(database: string): string | undefined {
  const url = URL.parse(database);
  if (!url || !/^postgres(?:ql)?:$/.test(url.protocol)) return undefined;
  return `${url.host || "localhost"}${url.pathname}`;
}

/** Whether a data folder's projects are in PostgreSQL. */
export const isInPostgres = (directory: string): boolean => existsSync(join(directory, MARK_FILE));

/** Notes that a data folder's projects are in PostgreSQL. */
export function markFolder(directory: string, place: string): void {
  const path = join(directory, MARK_FILE);
  const text = `The projects of this folder are in PostgreSQL: ${place}\n`;
  if (existsSync(path) && readFileSync(path, "utf8") === text) return;
  writeFileSync(path, text, { mode: 0o600 });
}

export const unmarkFolder = (directory: string): void =>
  rmSync(join(directory, MARK_FILE), { force: true });

/** Whether the folder has a SQLite database with a row in any of its tables. @throws StoreError */
export function holdsProjects(directory: string): boolean {
  const path = join(directory, DATABASE_FILE);
  if (!existsSync(path)) return false;
  try {
    const database = new DatabaseSync(path, { readOnly: true });
    try {
      return tablesOf(database).some(({ name }) =>
        database.prepare(`select 1 from ${quoted(name)} limit 1`).get(),
      );
    } finally {
      database.close();
    }
  } catch (error) {
    throw toStoreError(error, directory);
  }
}
