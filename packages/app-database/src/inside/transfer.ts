import { closeSync, mkdirSync, openSync, readFileSync, readSync, rmSync, writeSync } from "node:fs";
import { dirname, join } from "node:path";
import { setTimeout as wait } from "node:timers/promises";
import { backup, DatabaseSync, type SQLInputValue } from "node:sqlite";
import { columnsNamed, csvField, isBlank, quotedField, readCsv, withHead } from "./csv.ts";
import { openSqlite } from "./sqlite-database.ts";

/** An export from a database, or an import. Paths are project-relative. */
export type Transfer =
  /** Makes a consistent copy, although the app may be writing. */
  | { do: "file-out"; file: string; other: string }
  /** Replaces the database's content by that of another file. Saves a copy of the previous content. */
  | { do: "file-in"; file: string; other: string }
  | { do: "table-out"; file: string; other: string; table: string }
  /** Inserts the rows of a CSV file, whose first line names the columns: all or none. */
  | { do: "table-in"; file: string; other: string; table: string };

/** Number of bytes of CSV written at once. */
const AT_ONCE = 64 * 1024;
const BUSY_MS = 5_000;
const BUSY_AGAIN_MS = 10;
/**
 * Codes of Node's errors when copying into a locked database: none at all; SQLite's busy, and
 * locked.
 */
const BUSY = [0, 5, 6];

/**
 * Performs an export or an import.
 * @returns a sentence about the result
 * @throws Error with a message for people, or SQLite's; nothing was changed then
 */
export async function transfer(root: string, asked: Transfer): Promise<string> {
  const [path, other] = [join(root, asked.file), join(root, asked.other)];
  mkdirSync(dirname(other), { recursive: true });
  switch (asked.do) {
    case "file-out": {
      rmSync(other, { force: true });
      const database = new DatabaseSync(path, { readOnly: true, timeout: BUSY_MS });
      try {
        database.prepare("VACUUM INTO ?").run(other);
      } finally {
        database.close();
      }
      return `Copied ${asked.file}.`;
    }
    case "file-in":
      return putInPlace(root, asked.file, other);
    case "table-out":
      return tableOut(path, asked.table, other);
    case "table-in":
      return tableIn(path, asked.table, other);
  }
}

async function putInPlace(root: string, file: string, other: string): Promise<string> {
  const given = checked(other);
  try {
    // Done before the copy is saved: the source may be an older copy of that name, which becomes read-only when it is
    // replaced.
    matchPages(given, join(root, file));
    const standing = openSqlite(root, file);
    let copy: string | undefined;
    try {
      copy = await standing.keepCopy("import");
    } finally {
      await standing.close();
    }
    await copyInto(given, join(root, file));
    return copy === undefined
      ? `${file} holds what was given.`
      : `${file} holds what was given; what was in it is kept in ${copy}.`;
  } finally {
    given.close();
  }
}

/**
 * Copies page by page into the file that the app has open: other readers never see a part of it.
 * Waits for a writer.
 */
async function copyInto(given: DatabaseSync, path: string): Promise<void> {
  for (const until = Date.now() + BUSY_MS; ;) {
    try {
      await backup(given, path);
      return;
    } catch (error) {
      // Node's `backup` does not wait for a lock by itself.
      if (!BUSY.includes(Number((error as { errcode?: number }).errcode))) throw error;
      if (Date.now() > until)
        throw new Error("The app writes all the while. Nothing was changed.", { cause: error });
      await wait(BUSY_AGAIN_MS);
    }
  }
}

/**
 * Opens a file that must be a complete SQLite database.
 * @throws Error otherwise
 */
function checked(other: string): DatabaseSync {
  const no = (why: string) =>
    new Error(`This is no SQLite database that can be used (${why}). Nothing was changed.`);
  if (beginningOf(other, 15) !== "SQLite format 3") throw no("it does not begin as one");
  const database = new DatabaseSync(other, { timeout: BUSY_MS });
  try {
    const [first] = database.prepare("PRAGMA quick_check(1)").all();
    const outcome = String(Object.values(first ?? {})[0]).replaceAll("\n", " ");
    if (outcome !== "ok") throw new Error(outcome);
    return database;
  } catch (error) {
    database.close();
    throw no((error as Error).message);
  }
}

function beginningOf(path: string, size: number): string {
  const file = openSync(path, "r");
  try {
    const bytes = Buffer.alloc(size);
    readSync(file, bytes, 0, size, 0);
    return bytes.toString("latin1");
  } finally {
    closeSync(file);
  }
}

/**
 * Gives a database the page size of the one that it replaces: SQLite can only copy into an open file with the same page
 * size.
 */
function matchPages(given: DatabaseSync, path: string): void {
  const standing = new DatabaseSync(path, { readOnly: true, timeout: BUSY_MS });
  const size = ({ page_size }: Record<string, unknown>) => Number(page_size);
  const pageSize = size(standing.prepare("PRAGMA page_size").get()!);
  standing.close();
  if (size(given.prepare("PRAGMA page_size").get()!) === pageSize) return;
  given.exec(`PRAGMA journal_mode = DELETE; PRAGMA page_size = ${pageSize}; VACUUM`);
}

function tableOut(path: string, table: string, other: string): string {
  const database = new DatabaseSync(path, {
    readOnly: true,
    timeout: BUSY_MS,
    readBigInts: true,
  });
  const out = openSync(other, "w");
  try {
    const columns = columnsOf(database, table);
    const loose = looseOf(database, table);
    const isLoose = columns.map((name) => loose.has(name));
    const statement = database.prepare(
      `SELECT ${columns.map(quoted).join(", ")} FROM ${quoted(table)}`,
    );
    statement.setReturnArrays(true);
    let rows = 0;
    let waiting = `${columns.map(csvField).join(",")}\r\n`;
    for (const row of statement.iterate()) {
      const fields = (row as unknown as unknown[]).map((value, at) =>
        isLoose[at] ? looseField(value) : csvField(finite(value)),
      );
      waiting += `${fields.join(",")}\r\n`;
      rows++;
      if (waiting.length < AT_ONCE) continue;
      writeSync(out, waiting);
      waiting = "";
    }
    writeSync(out, waiting);
    return `Wrote ${rows} rows.`;
  } finally {
    closeSync(out);
    database.close();
  }
}

function tableIn(path: string, table: string, other: string): string {
  const { names, rows: all } = withHead(readCsv(readFileSync(other)));
  const database = new DatabaseSync(path, { timeout: BUSY_MS });
  try {
    const known = columnsOf(database, table);
    const columns = columnsNamed(names, table, known);
    const loose = looseOf(database, table);
    // An empty line is a row only in a table with a single column, and a slip in any other.
    const rows = all.filter((row) => known.length === 1 || !isBlank(row));
    const insert = database.prepare(
      `INSERT INTO ${quoted(table)} (${columns.map(quoted).join(", ")}) VALUES (${columns.map(() => "?").join(", ")})`,
    );
    database.exec("BEGIN IMMEDIATE");
    for (const { fields, quoted: isQuoted, line } of rows) {
      try {
        if (fields.length !== columns.length)
          throw new Error(`${fields.length} fields where the first line has ${columns.length}`);
        insert.run(
          ...fields.map((field, at) =>
            field !== null && !isQuoted[at] && loose.has(columns[at]!) ? looseValue(field) : field,
          ),
        );
      } catch (error) {
        // A rule of the table may have ended the transaction already.
        if (database.isTransaction) database.exec("ROLLBACK");
        throw new Error(`Line ${line}: ${(error as Error).message}. Nothing was added.`, {
          cause: error,
        });
      }
    }
    database.exec("COMMIT");
    return `Added ${rows.length} ${rows.length === 1 ? "row" : "rows"} to ${table}.`;
  } finally {
    database.close();
  }
}

/** Columns that store values unchanged: in others, SQLite converts numeric text to a number. */
function looseOf(database: DatabaseSync, table: string): Set<string> {
  return new Set(
    database
      .prepare("SELECT name, type FROM pragma_table_xinfo(?)")
      .all(table)
      .filter(({ type }) => /^(?:|ANY)$|^(?!.*(?:INT|CHAR|CLOB|TEXT)).*BLOB/i.test(String(type)))
      .map(({ name }) => String(name)),
  );
}

const INTEGER = /^-?\d{1,19}$/;
const REAL = /^-?\d+(?:\.\d+)?(?:e[+-]?\d+)?$/i;
const BYTES = /^0x(?:[\da-f]{2})*$/i;

/**
 * Formats a value of such a column: quotes text that would be read as another type, and writes a decimal point in each
 * floating-point number.
 */
function looseField(value: unknown): string {
  if (typeof value === "string")
    return REAL.test(value) || BYTES.test(value) ? quotedField(value) : csvField(value);
  const text = csvField(finite(value));
  return typeof value === "number" && INTEGER.test(text) ? `${text}.0` : text;
}

/** The value of an unquoted field of such a column. */
function looseValue(field: string): SQLInputValue {
  if (BYTES.test(field)) return Buffer.from(field.slice(2), "hex");
  if (INTEGER.test(field) && BigInt.asIntN(64, BigInt(field)) === BigInt(field))
    return BigInt(field);
  return REAL.test(field) ? Number(field) : field;
}

/** Replaces infinite numbers, for which SQLite has no literal. */
const finite = (value: unknown): unknown =>
  value === Infinity ? "9e999" : value === -Infinity ? "-9e999" : value;

/**
 * The columns of a table, without hidden ones.
 * @throws Error if the table does not exist
 */
function columnsOf(database: DatabaseSync, table: string): string[] {
  const columns = database
    .prepare("SELECT name FROM pragma_table_xinfo(?) WHERE hidden = 0")
    .all(table)
    .map(({ name }) => String(name));
  if (columns.length === 0) throw new Error(`There is no table “${table}”.`);
  return columns;
}

const quoted = (name: string) => `"${name.replaceAll('"', '""')}"`;
