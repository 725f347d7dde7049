import { existsSync, renameSync, rmSync } from "node:fs";
import { join } from "node:path";
import type { DatabaseSync } from "node:sqlite";
import { Kysely } from "kysely";
import { migrate } from "../migrations/migrate.ts";
import { holdsProjects, isInPostgres, markFolder, placeOf, unmarkFolder } from "../open-engine.ts"; // prettier-ignore
import type { Schema } from "../schema.ts";
import { lockFolder } from "../sqlite/lock-folder.ts";
import { nodeSqliteDialect } from "../sqlite/node-sqlite-dialect.ts";
import { DATABASE_FILE, openDatabase } from "../sqlite/open-database.ts";
import { openFile } from "../sqlite/open-file.ts";
import { quoted, tablesOf } from "./tables.ts";
import { storeError, toStoreError } from "../store-error.ts";

export interface MovedStore {
  /** Rows of all tables. */
  rows: number;
  /** Where the original of the moved data still is. */
  left: string;
}

/**
 * Moves the projects of a data folder from SQLite to an empty PostgreSQL database. All or nothing; the SQLite file stays
 * in the folder under another name.
 * @throws StoreError `busy` while a server has the folder open, `moved` if the projects are in PostgreSQL already,
 * `occupied` if a table of the database has rows, `address` if it is not an address of PostgreSQL
 */
export async function moveToPostgres(directory: string, database: string): Promise<MovedStore> {
  const place = placeOf(database);
  if (place === undefined) throw storeError("address", database.split("/")[0] ?? "");
  if (isInPostgres(directory)) throw storeError("moved", directory);
  const { database: sqlite, unlock } = openDatabase(directory);
  try {
    const db = new Kysely<Schema>({ dialect: nodeSqliteDialect(sqlite) });
    await migrate(db, "sqlite", directory);
    await makeTables(database, place);
    const rows = await inEmptyPostgres(database, place, sqlite);
    sqlite.close();
    markFolder(directory, place);
    const left = join(directory, `${DATABASE_FILE}.moved-${Date.now()}`);
    renameSync(join(directory, DATABASE_FILE), left);
    return { rows, left };
  } catch (error) {
    if (sqlite.isOpen) sqlite.close();
    throw toStoreError(error, place);
  } finally {
    unlock();
  }
}

async function makeTables(database: string, place: string): Promise<void> {
  const { openPostgres } = await import("../postgres/postgres-engine.ts");
  const engine = await openPostgres(database, place);
  try {
    await migrate(engine.db, "postgres", place);
  } finally {
    await engine.close();
  }
}

async function inEmptyPostgres(
  database: string,
  place: string,
  from: DatabaseSync,
): Promise<number> {
  const { withClient } = await import("../postgres/with-client.ts");
  const { copyToPostgres } = await import("./copy-to-postgres.ts");
  return withClient(database, async (client) => {
    await client.query("begin");
    // Other writers wait until the end, and so does another move.
    await client.query("lock table projects, settings in share row exclusive mode");
    for (const { name } of tablesOf(from)) {
      const { rows } = await client.query(`select 1 from ${quoted(name)} limit 1`);
      if (rows.length > 0) throw storeError("occupied", place);
    }
    const count = await copyToPostgres(from, client);
    await client.query("commit");
    return count;
  });
}

/**
 * Copies the projects of a data folder back from PostgreSQL to SQLite. All or nothing; PostgreSQL keeps its data.
 * @throws StoreError `busy` while a server has the folder open, `unmoved` if the projects are in SQLite, `address`
 */
export async function moveToSqlite(directory: string, database: string): Promise<MovedStore> {
  const place = placeOf(database);
  if (place === undefined) throw storeError("address", database.split("/")[0] ?? "");
  const unlock = lockFolder(directory);
  try {
    if (holdsProjects(directory)) throw storeError("unmoved", directory);
    await makeTables(database, place);
    const draft = join(directory, `${DATABASE_FILE}.new`);
    const rows = await copyFromPostgres(database, draft);
    for (const end of ["-wal", "-shm"])
      rmSync(join(directory, DATABASE_FILE + end), { force: true });
    renameSync(draft, join(directory, DATABASE_FILE));
    unmarkFolder(directory);
    return { rows, left: place };
  } catch (error) {
    throw toStoreError(error, place);
  } finally {
    unlock();
  }
}

/** Copies a store from PostgreSQL, as it is at one moment, to a new SQLite file. @returns the number of rows */
export async function copyFromPostgres(database: string, to: string): Promise<number> {
  const { withClient } = await import("../postgres/with-client.ts");
  const { copyToSqlite } = await import("./copy-to-sqlite.ts");
  if (existsSync(to)) rmSync(to);
  const sqlite = openFile(to);
  try {
    const db = new Kysely<Schema>({ dialect: nodeSqliteDialect(sqlite) });
    sqlite.exec("pragma foreign_keys = on");
    await migrate(db, "sqlite", to);
    const rows = await withClient(database, (client) => copyToSqlite(client, sqlite));
    sqlite.close();
    return rows;
  } catch (error) {
    if (sqlite.isOpen) sqlite.close();
    rmSync(to, { force: true });
    throw error;
  }
}
