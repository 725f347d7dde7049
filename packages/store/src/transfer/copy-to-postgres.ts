import type { DatabaseSync, SQLOutputValue } from "node:sqlite";
import type { ClientBase } from "pg";
import { piecesOf } from "../postgres/piece-index.ts";
import { quoted, tablesOf, type Table } from "./tables.ts";

/** Maximum number of rows held in memory, and roughly of their bytes. */
const BATCH = { rows: 1_000, bytes: 4 * 1024 * 1024 };

/**
 * Copies every row of a store from SQLite to the empty tables of a PostgreSQL database, within the transaction that the
 * client is in.
 * @returns the number of rows
 */
export async function copyToPostgres(from: DatabaseSync, to: ClientBase): Promise<number> {
  let count = 0;
  for (const table of tablesOf(from)) count += await copyTable(from, to, table);
  await fillPieces(from, to);
  await setCounters(to);
  return count;
}

async function copyTable(from: DatabaseSync, to: ClientBase, table: Table): Promise<number> {
  const { rows: types } = await to.query<{ name: string; type: string }>(
    `select attname as name, format_type(atttypid, atttypmod) as type from pg_attribute
     where attrelid = $1::regclass and attnum > 0 and not attisdropped`,
    [table.name],
  );
  const typeOf = new Map(types.map(({ name, type }) => [name, type]));
  const columns = table.columns.map(quoted).join(", ");
  const values = table.columns.map((column, index) => `$${index + 1}::${typeOf.get(column)}[]`);
  const insert = `insert into ${quoted(table.name)} (${columns}) select * from unnest(${values.join(", ")})`;
  let count = 0;
  let bytes = 0;
  let batch: SQLOutputValue[][] = table.columns.map(() => []);
  const flush = async () => {
    if (batch[0]?.length) await to.query(insert, batch);
    batch = table.columns.map(() => []);
    bytes = 0;
  };
  for (const row of from.prepare(`select ${columns} from ${quoted(table.name)}`).iterate()) {
    for (const [index, column] of table.columns.entries()) {
      const value = row[column] ?? null;
      batch[index]!.push(value);
      bytes += typeof value === "string" ? value.length : value instanceof Uint8Array ? value.byteLength : 8; // prettier-ignore
    }
    count++;
    if (batch[0]!.length === BATCH.rows || bytes > BATCH.bytes) await flush();
  }
  await flush();
  return count;
}

/** Fills PostgreSQL's search index of message texts; SQLite has an index of its own. */
async function fillPieces(from: DatabaseSync, to: ClientBase): Promise<void> {
  for (const { id, text } of from.prepare("select id, text from message_texts").iterate()) {
    const pieces = piecesOf(String(text));
    if (pieces)
      await to.query("update message_texts set pieces = array_to_tsvector($2::text[]) where id = $1", [id, pieces]); // prettier-ignore
  }
}

/** Sets PostgreSQL's counters, so that rows added later get new numbers. */
async function setCounters(to: ClientBase): Promise<void> {
  const { rows } = await to.query<{ table_name: string; column_name: string }>(
    `select table_name, column_name from information_schema.columns
     where table_schema = current_schema and column_default like 'nextval(%'`,
  );
  for (const { table_name: table, column_name: column } of rows)
    await to.query(
      `select setval(pg_get_serial_sequence($1, $2), max(${quoted(column)})) from ${quoted(table)}
       having max(${quoted(column)}) is not null`,
      [table, column],
    );
}
