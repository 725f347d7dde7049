import { mkdirSync, readFileSync, renameSync, rmSync, statSync, writeFileSync } from "node:fs"; // prettier-ignore
import { dirname, join } from "node:path";
import { DatabaseError, escapeIdentifier, type Client } from "pg";
import { COPIES, copyName, retainNewest } from "./copies.ts";
import { connectPostgres, refuseTransaction } from "./connect-postgres.ts";
import { CannotCopy, readSchemaStatements, type CopiedTable } from "./postgres-schema.ts";
import { splitSql, type Statement } from "./split-sql.ts";
import { textOf } from "./text-of.ts";

/** Number of rows per INSERT. */
const ROWS = 200;
/** Maximum size of a dump to import, in bytes: it is read into memory. */
const LOAD_BYTES = 128 * 1024 * 1024;
/** Maximum size, in bytes, of a database that is copied before a change. */
const COPY_BYTES = 256 * 1024 * 1024;
/** How long an import waits for a table locked by others, in milliseconds. */
const LOCK_MS = 10_000;
/** Prefix of a copy's name: the database's listed name. */
const NAME = "PostgreSQL";
const HEAD = `-- A PostgreSQL database as SQL, as Treadle writes it.
SET check_function_bodies = off;
SET search_path = '';
`;

/**
 * Writes the app's database to a file as SQL, in a consistent state: its schema, rows and
 * sequences. Does not disturb connected clients.
 * @param path absolute; only complete dumps are left there
 * @throws CannotCopy for a schema that cannot be recreated from SQL
 */
export async function dumpDatabase(path: string): Promise<string> {
  const client = await connectPostgres({ asWritten: false });
  const part = `${path}.part`;
  mkdirSync(dirname(path), { recursive: true });
  const write = (text: string) => writeFileSync(part, text, { flag: "a" });
  try {
    await client.query("BEGIN ISOLATION LEVEL REPEATABLE READ READ ONLY");
    // With an empty search path, names include their schemas.
    await client.query("SET LOCAL search_path = ''");
    const { before, tables, after, sequences } = await readSchemaStatements(client);
    writeFileSync(part, HEAD + statements(before));
    let rows = 0;
    for (const table of tables) rows += await dumpRows(client, table, write);
    write(statements([...after, ...sequences]));
    renameSync(part, path);
    return `Wrote ${tables.length} tables with ${rows} rows.`;
  } finally {
    rmSync(part, { force: true });
    await client.end().catch(() => undefined);
  }
}

const statements = (all: readonly string[]) =>
  all.map((one) => `${one.replace(/;\s*$/, "")};\n`).join("");

/**
 * Writes a table's rows as INSERT statements, with values in PostgreSQL's own text format and quoting.
 * @returns the number of rows
 */
async function dumpRows(
  client: Client,
  { name, columns }: CopiedTable,
  write: (text: string) => void,
): Promise<number> {
  if (columns.length === 0) return 0;
  const values = columns
    .map((column) => `quote_nullable(${column.name}::text)`)
    .join(" || ', ' || ");
  await client.query(
    `DECLARE dumped NO SCROLL CURSOR FOR SELECT ${values} AS row FROM ONLY ${name}`,
  );
  const names = columns.map((column) => column.name).join(", ");
  let count = 0;
  for (;;) {
    const { rows } = await client.query<{ row: string }>(`FETCH ${ROWS} FROM dumped`);
    const lines = rows.map(({ row }) => `(${row})`).join(",\n");
    if (rows.length > 0)
      write(`INSERT INTO ${name} (${names}) OVERRIDING SYSTEM VALUE VALUES\n${lines};\n`);
    count += rows.length;
    if (rows.length < ROWS) break;
  }
  await client.query("CLOSE dumped");
  return count;
}

/**
 * Replaces the app's database by the content of a dump, after saving a copy: all or nothing. The app may stay
 * connected, and sees either the old content or the new.
 * @param path absolute
 * @returns a sentence about the result
 * @throws Error with a message for people; nothing was changed then
 */
export async function loadDump(root: string, path: string): Promise<string> {
  if (statSync(path).size > LOAD_BYTES)
    throw new Error(`A dump can have at most ${LOAD_BYTES / 1024 / 1024} MB.`);
  const text = textOf(readFileSync(path));
  const given = text === undefined ? [] : splitSql(text, "postgres");
  if (given.length === 0) throw new Error("This holds no SQL in UTF-8. Nothing was changed.");
  const copy = await keepCopy(root, "import");
  const client = await connectPostgres({ asWritten: false });
  try {
    await client.query("BEGIN");
    await client.query(`SET LOCAL lock_timeout = ${LOCK_MS}`);
    await dropAll(client);
    await runAll(client, given);
    await client.query("COMMIT");
  } catch (error) {
    throw new Error(`${(error as Error).message}. Nothing was changed.`, { cause: error });
  } finally {
    await client.end().catch(() => undefined);
  }
  return copy === undefined
    ? "The database holds what was given."
    : `The database holds what was given; what was in it is kept in ${copy}.`;
}

async function dropAll(client: Client): Promise<void> {
  const { rows } = await client.query<{ name: string }>(
    "SELECT nspname AS name FROM pg_namespace WHERE nspname NOT IN ('pg_catalog', 'information_schema') AND nspname !~ '^pg_'",
  );
  for (const { name } of rows) await client.query(`DROP SCHEMA ${escapeIdentifier(name)} CASCADE`);
  await client.query("CREATE SCHEMA public");
}

/**
 * Runs statements that depend on later ones after those.
 * @throws the error of the first one that cannot run at all
 */
async function runAll(client: Client, given: readonly Statement[]): Promise<void> {
  for (let rest = given; rest.length > 0;) {
    const failed: Statement[] = [];
    let reason: Error | undefined;
    for (const statement of rest) {
      refuseTransaction(statement);
      await client.query("SAVEPOINT given");
      try {
        await client.query(statement.sql);
        await client.query("RELEASE given");
      } catch (error) {
        if (!(error instanceof DatabaseError)) throw error;
        reason ??= new Error(`Line ${statement.line}: ${error.message}`, { cause: error });
        failed.push(statement);
        await client.query("ROLLBACK TO given");
      }
    }
    if (failed.length === rest.length) throw reason!;
    rest = failed;
  }
}

/**
 * Saves a copy of the app's database before a change, and removes old ones.
 * @param called the kind of change
 * @returns its path in the project; undefined if the database is empty, too large, or cannot be
 * written as SQL
 */
export async function keepCopy(root: string, called: string): Promise<string | undefined> {
  const client = await connectPostgres({ asWritten: false });
  try {
    const { rows } = await client.query<{ bytes: string; tables: string }>(
      "SELECT pg_database_size(current_database()) AS bytes, (SELECT count(*) FROM pg_tables WHERE schemaname NOT IN ('pg_catalog', 'information_schema')) AS tables",
    );
    if (Number(rows[0]!.bytes) > COPY_BYTES || Number(rows[0]!.tables) === 0) return undefined;
  } finally {
    await client.end().catch(() => undefined);
  }
  const name = copyName(NAME, called, ".sql");
  const folder = join(root, COPIES);
  try {
    await dumpDatabase(join(folder, name));
  } catch (error) {
    if (error instanceof CannotCopy) return undefined;
    throw error;
  }
  retainNewest(folder, NAME);
  return `${COPIES}/${name}`;
}
