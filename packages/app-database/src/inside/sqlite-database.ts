import { existsSync, mkdirSync, readdirSync, renameSync, rmSync } from "node:fs";
import { basename, dirname, extname, join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import { BESIDE_SQLITE, isSqliteFile } from "@treadle/protocol/project-path";
import { isIgnored, isNeverOwn, type Applied } from "@treadle/workspace/data-conventions";
import { COPIES, copyName, retainNewest } from "./copies.ts";
import { migratedPart } from "./read-migrations.ts";
import { lineOf, prepareEach, type Prepared } from "./sqlite-statements.ts";
import { SqlFailure, type AppDatabase, type Result } from "./types.ts";

const TABLE = "treadle_migrations";
/**
 * The default file of an app's database, unless `DATABASE_FILE` names another or another one is the
 * only one.
 */
export const USUAL_FILE = "data/app.db";
/** Copies of a database, and files that are being imported. */
const COPIED = /^\.data\/(?:copies|transfer-)/;
/** How long to wait for a writer, in milliseconds. */
const BUSY_MS = 5_000;
/** Matches statements that change rows. */
const CHANGES = /^(?:INSERT|UPDATE|DELETE|REPLACE|WITH)\b/i;
/** Maximum number of files and folders searched for a database. */
const MOST_LOOKED_AT = 5_000;

/**
 * The file of the app's database, which may not exist yet.
 * @param named by the app's own environment
 * @param seen its previous path: a release has none before its app first ran
 * @returns a message if it is ambiguous
 */
export function sqliteFile(
  root: string,
  named?: string,
  seen?: string,
): string | { problem: string } {
  for (const file of [named, seen]) if (file !== undefined && file !== "") return file;
  if (existsSync(join(root, USUAL_FILE))) return USUAL_FILE;
  // A build copies databases into its output, and tools have their own: the app's is there only if
  // it is nowhere else.
  const all = findSqlite(root);
  const own = all.filter((path) => !isIgnored(path) && !path.startsWith(".data/"));
  const found = own.length > 0 ? own : all;
  if (found.length > 1)
    return {
      problem: `There are several databases (${found.slice(0, 5).join(", ")}): say which is meant by DATABASE_FILE=….`,
    };
  // An app in a subfolder (`backend`) has its data there, like its migrations.
  return found[0] ?? join(migratedPart(root), USUAL_FILE);
}

function findSqlite(root: string): string[] {
  const found: string[] = [];
  const folders = [""];
  for (let looked = 0; folders.length > 0 && looked < MOST_LOOKED_AT;) {
    const folder = folders.shift()!;
    for (const entry of readdirSync(join(root, folder), { withFileTypes: true })) {
      looked++;
      const path = folder === "" ? entry.name : `${folder}/${entry.name}`;
      if (isNeverOwn(entry.name) || COPIED.test(path)) continue;
      if (entry.isDirectory()) folders.push(path);
      else if (entry.isFile() && isSqliteFile(entry.name)) found.push(path);
    }
  }
  return found.toSorted();
}

/** An app's SQLite database. */
export interface SqliteDatabase extends AppDatabase {
  /** Whether it contains anything. */
  hasTables(): boolean;
}

/**
 * Opens an app's SQLite database.
 * @param file relative to the root, or absolute
 */
export function openSqlite(root: string, file: string): SqliteDatabase {
  const path = join(root, file);
  let database = open();

  function open(): DatabaseSync {
    mkdirSync(dirname(path), { recursive: true });
    const opened = new DatabaseSync(path, {
      timeout: BUSY_MS,
      readBigInts: true,
      // Foreign keys are checked, as in the app; only migrations disable that.
      enableForeignKeyConstraints: true,
    });
    // The mode in which the app will use it: a new file should be readable during writes.
    if (isNew(opened)) opened.exec("PRAGMA journal_mode = WAL");
    return opened;
  }

  /**
   * Runs in a transaction: all or none.
   * @throws SqlFailure
   */
  function inTransaction<T>(work: () => T): T {
    database.exec("BEGIN IMMEDIATE");
    try {
      const made = work();
      database.exec("COMMIT");
      return made;
    } catch (error) {
      if (database.isTransaction) database.exec("ROLLBACK");
      throw error;
    }
  }

  /** Runs in a transaction without foreign keys, which SQLite can only switch outside of transactions. */
  function withoutForeignKeys(work: () => void): void {
    database.exec("PRAGMA foreign_keys = OFF");
    try {
      inTransaction(work);
    } finally {
      database.exec("PRAGMA foreign_keys = ON");
    }
  }

  function runStatement(prepared: Prepared, mostRows: number): Result {
    const { sql, line, statement } = prepared;
    if (/^(?:BEGIN|COMMIT|END|ROLLBACK|SAVEPOINT|RELEASE)\b/i.test(sql))
      throw new SqlFailure(
        "It already runs in a transaction: leave out BEGIN, COMMIT and the like.",
        line,
      );
    try {
      const columns = statement.columns().map(({ name }) => name);
      if (columns.length === 0) {
        const { changes } = statement.run();
        // After any other statement, SQLite returns the count of the last one that changed rows.
        return { changed: CHANGES.test(sql) ? Number(changes) : undefined };
      }
      statement.setReturnArrays(true);
      const rows: unknown[][] = [];
      for (const row of statement.iterate()) {
        if (rows.length === mostRows) return { columns, rows, more: true };
        rows.push(row as unknown as unknown[]);
      }
      return { columns, rows, more: false };
    } catch (error) {
      throw new SqlFailure((error as Error).message, lineOf(database, error as Error, prepared));
    }
  }

  /** The number of rows of each table that reference missing rows. */
  const brokenLinks = () =>
    database
      .prepare(
        'SELECT "table" AS of, parent, count(*) AS rows FROM pragma_foreign_key_check GROUP BY 1, 2',
      )
      .all()
      .map(({ of: parentTable, parent, rows }) => ({
        link: `A row of “${String(parentTable)}” would belong to one of “${String(parent)}”`,
        rows: Number(rows),
      }));

  /**
   * Throws SqlFailure if more rows than before reference missing ones. An app may have broken foreign keys itself,
   * which must not prevent migrations.
   */
  function checkLinks(before: ReturnType<typeof brokenLinks>): void {
    const found = brokenLinks().find(
      ({ link, rows }) => rows > (before.find((one) => one.link === link)?.rows ?? 0),
    );
    if (found) throw new SqlFailure(`${found.link} that is not there (FOREIGN KEY).`, 1);
  }

  async function keepCopy(called: string): Promise<string | undefined> {
    if (isNew(database)) return undefined;
    const folder = join(root, COPIES);
    mkdirSync(folder, { recursive: true });
    const databaseName = basename(file, extname(file));
    const name = copyName(databaseName, called, ".db");
    // An older copy of that name is kept until the new one is complete: the disk may be full.
    const part = join(folder, `${name}.part`);
    rmSync(part, { force: true });
    database.prepare("VACUUM INTO ?").run(part);
    renameSync(part, join(folder, name));
    retainNewest(folder, databaseName);
    return `${COPIES}/${name}`;
  }

  return {
    name: file,
    async applied() {
      const there = database.prepare("SELECT 1 FROM sqlite_schema WHERE name = ?").get(TABLE);
      if (!there) return [];
      return database
        .prepare(`SELECT number, name, digest FROM ${TABLE} ORDER BY number`)
        .all()
        .map(({ number, name, digest }): Applied => ({
          number: Number(number),
          name: String(name),
          digest: String(digest),
        }));
    },
    async apply({ number, name, digest, sql }) {
      // Rebuilding a table drops it in between, which would delete dependent rows.
      withoutForeignKeys(() => {
        const broken = brokenLinks();
        for (const prepared of prepareEach(database, sql)) runStatement(prepared, 0);
        checkLinks(broken);
        database.exec(
          `CREATE TABLE IF NOT EXISTS ${TABLE} (number INTEGER PRIMARY KEY, name TEXT NOT NULL, digest TEXT NOT NULL, at TEXT NOT NULL DEFAULT (strftime('%Y-%m-%dT%H:%M:%fZ', 'now')))`,
        );
        database
          .prepare(`INSERT INTO ${TABLE} (number, name, digest) VALUES (?, ?, ?)`)
          .run(number, name, digest);
      });
    },
    async isEmpty() {
      return ownTables(database).every(
        (table) => !database.prepare(`SELECT 1 FROM ${quoted(table)} LIMIT 1`).get(),
      );
    },
    hasTables: () => !isNew(database),
    keepCopy,
    async reset() {
      const copy = await keepCopy("reset");
      database.close();
      for (const end of ["", ...BESIDE_SQLITE]) rmSync(`${path}${end}`, { force: true });
      database = open();
      return copy;
    },
    async query(sql, mostRows) {
      const run = () =>
        Array.from(prepareEach(database, sql), (prepared) => runStatement(prepared, mostRows));
      // Some statements, such as VACUUM, cannot run in a transaction.
      const [first] = prepareEach(database, sql);
      return first === undefined || first.isLast ? run() : inTransaction(run);
    },
    async close() {
      database.close();
    },
  };
}

const quoted = (name: string) => `"${name.replaceAll('"', '""')}"`;

const isNew = (database: DatabaseSync) =>
  !database.prepare("SELECT 1 FROM sqlite_schema LIMIT 1").get();

const ownTables = (database: DatabaseSync) =>
  database
    .prepare(
      "SELECT name FROM sqlite_schema WHERE type = 'table' AND name NOT LIKE 'sqlite\\_%' ESCAPE '\\'",
    )
    .all()
    .map(({ name }) => String(name))
    .filter((name) => name !== TABLE);
