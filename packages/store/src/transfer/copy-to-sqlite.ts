import type { DatabaseSync, SQLInputValue } from "node:sqlite";
import type { ClientBase } from "pg";
import { quoted, tablesOf, type Table } from "./tables.ts";

/** Number of rows held in memory; a row of the log has at most a few megabytes. */
const BATCH_ROWS = 200;

/**
 * Copies every row of a store from PostgreSQL, as it is at one moment, to the empty tables of a SQLite database. Other
 * processes may go on writing to PostgreSQL meanwhile.
 * @returns the number of rows
 */
export async function copyToSqlite(from: ClientBase, to: DatabaseSync): Promise<number> {
  await from.query("begin isolation level repeatable read read only");
  to.exec("begin");
  let count = 0;
  for (const table of tablesOf(to)) count += await copyTable(from, to, table);
  to.exec("commit");
  await from.query("commit");
  return count;
}

async function copyTable(from: ClientBase, to: DatabaseSync, table: Table): Promise<number> {
  const columns = table.columns.map(quoted).join(", ");
  const insert = to.prepare(
    `insert into ${quoted(table.name)} (${columns}) values (${table.columns.map(() => "?").join(", ")})`,
  );
  await from.query(
    `declare copied no scroll cursor for select ${columns} from ${quoted(table.name)}`,
  );
  let count = 0;
  for (;;) {
    const { rows } = await from.query<Record<string, SQLInputValue>>(
      `fetch forward ${BATCH_ROWS} from copied`,
    );
    for (const row of rows) insert.run(...table.columns.map((column) => row[column] ?? null));
    count += rows.length;
    if (rows.length < BATCH_ROWS) break;
  }
  await from.query("close copied");
  return count;
}
