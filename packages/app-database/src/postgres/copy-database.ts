import type { Duplex } from "node:stream";
import { CannotCopy, readSchemaStatements, type CopiedTable } from "../inside/postgres-schema.ts";
import { Client, type ClientConfig } from "pg";

/** Rows that are read and written at a time. */
const ROWS = 200;
/** Bytes of those: an app may keep values that are small on the disk and large when they are read. */
const MAX_ROWS_BYTES = 64 * 1024 * 1024;
const CURSOR = "copied";

/**
 * Copies a database that others are connected to into an empty one, as it stood at one moment: nobody there is disturbed
 * or waited for. Slower than a template, which PostgreSQL takes only of a database that nobody is in.
 * @throws CannotCopy for a schema that this cannot make again
 */
export async function copyDatabase(from: ClientConfig, to: ClientConfig): Promise<void> {
  const [source, target] = [new Client(from), new Client(to)];
  for (const client of [source, target]) client.on("error", () => undefined);
  try {
    await source.connect();
    const read = boundAnswers(source);
    await target.connect();
    await source.query("BEGIN ISOLATION LEVEL REPEATABLE READ READ ONLY");
    // Names are told with their schemas, and none of the app's own functions is found in the place of PostgreSQL's.
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

/** Ends a connection of which one answer is larger than it may be. */
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

/** What needs another one that comes later is made after it. @throws of the first one that cannot be made at all */
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

/** Values travel as PostgreSQL writes and reads them itself: every type has such a text. */
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
