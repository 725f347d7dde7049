import type { Duplex } from "node:stream";
import { CannotCopy, readSchemaStatements, type CopiedTable } from "../inside/postgres-schema.ts";
import { Client, type ClientConfig } from "pg";

/** Number of rows read and written at once. */
const ROWS = 200;
/** Maximum size of those rows in bytes: values may be compressed on disk. */
const MAX_ROWS_BYTES = 64 * 1024 * 1024;
const CURSOR = "copied";

/**
 * Copies a database that others are connected to into an empty one, in a consistent state, without
 * disturbing or waiting for them. Slower than PostgreSQL's templates, which need a database without
 * connections.
 * @throws CannotCopy for a schema that cannot be recreated
 */
export async function copyDatabase(from: ClientConfig, to: ClientConfig): Promise<void> {
  const [source, target] = [new Client(from), new Client(to)];
  for (const client of [source, target]) client.on("error", () => undefined);
  try {
    await source.connect();
    const read = boundAnswers(source);
    await target.connect();
    await source.query("BEGIN ISOLATION LEVEL REPEATABLE READ READ ONLY");
    // With an empty search path, names include their schemas, and none of the app's functions replaces one of
    // PostgreSQL's.
    await source.query("SET LOCAL search_path = ''");
    const { before, tables, after, sequences } = await readSchemaStatements(source);
    await target.query("BEGIN");
    await target.query("SET LOCAL search_path = ''");
    await target.query("SET LOCAL check_function_bodies = off");
    await makeAll(target, before);
    for (const table of tables) await copyRows(source, target, table, read);
    await makeAll(target, after);
    for (const set of sequences) await target.query(set);
    await target.query("COMMIT");
  } finally {
    await Promise.all([source.end(), target.end()].map((end) => end.catch(() => undefined)));
  }
}

/** Ends a connection with an answer that is too large. */
function boundAnswers(client: Client): { begin(): void } {
  const { stream } = (client as unknown as { connection: { stream: Duplex } }).connection;
  let bytes = 0;
  stream.on("data", (piece: Buffer) => {
    bytes += piece.length;
    if (bytes > MAX_ROWS_BYTES)
      stream.destroy(new CannotCopy("the app's database has rows that are too large to be copied"));
  });
  return { begin: () => void (bytes = 0) };
}

/**
 * Creates objects that depend on later ones after those.
 * @throws the error of the first one that cannot be created at all
 */
async function makeAll(target: Client, statements: readonly string[]): Promise<void> {
  for (let rest = statements; rest.length > 0;) {
    const failed: string[] = [];
    let reason: unknown;
    for (const statement of rest) {
      await target.query("SAVEPOINT made");
      try {
        await target.query(statement);
        await target.query("RELEASE made");
      } catch (error) {
        reason ??= error;
        failed.push(statement);
        await target.query("ROLLBACK TO made");
      }
    }
    if (failed.length === rest.length) throw reason;
    rest = failed;
  }
}

/** Transfers values in PostgreSQL's text format, which every type has. */
async function copyRows(
  source: Client,
  target: Client,
  { name, columns }: CopiedTable,
  bound: { begin(): void },
) {
  if (columns.length === 0) return;
  const read = columns.map((column) => `${column.name}::text`).join(", ");
  await source.query(`DECLARE ${CURSOR} NO SCROLL CURSOR FOR SELECT ${read} FROM ONLY ${name}`);
  const names = columns.map((column) => column.name).join(", ");
  const values = columns.map(({ type }, index) => `u.c${index}::${type}`).join(", ");
  const given = columns.map((_, index) => `$${index + 1}::text[]`).join(", ");
  const aliases = columns.map((_, index) => `c${index}`).join(", ");
  const insert = `INSERT INTO ${name} (${names}) OVERRIDING SYSTEM VALUE SELECT ${values} FROM ROWS FROM (unnest(${given})) AS u (${aliases})`;
  for (;;) {
    bound.begin();
    const { rows } = await source.query<(string | null)[]>({
      text: `FETCH ${ROWS} FROM ${CURSOR}`,
      rowMode: "array",
    });
    if (rows.length > 0)
      await target.query(
        insert,
        columns.map((_, index) => rows.map((row) => row[index] ?? null)),
      );
    if (rows.length < ROWS) break;
  }
  await source.query(`CLOSE ${CURSOR}`);
}
