import { once } from "node:events";
import { join } from "node:path";
import { createInterface } from "node:readline";
import type { Cell, DatabaseAnswer, DatabaseQuestion, Table } from "@treadle/protocol";
import { escapeIdentifier, type Client, type FieldDef } from "pg";
import { fitCells } from "./fit-cells.ts";
import { tableIn, tableOut } from "./postgres-csv.ts";
import { connectPostgres, queryRows, refuseTransaction } from "./connect-postgres.ts";
import { dumpDatabase, loadDump } from "./postgres-dump.ts";
import { known, relations, type Relation } from "./postgres-relations.ts";
import { splitSql } from "./split-sql.ts";
import { usesPostgres } from "@treadle/workspace/data-conventions";

/**
 * The host's requests about the app's PostgreSQL database, one line of JSON. Paths are
 * project-relative.
 */
export type PostgresAsked =
  | DatabaseQuestion
  /** Whether the database exists, and its size. */
  | { ask: "about" }
  | { ask: "table-out"; table: string; other: string }
  /** Inserts the rows of a CSV file, whose first line names the columns: all or none. */
  | { ask: "table-in"; table: string; other: string }
  /** Writes the whole database as SQL. */
  | { ask: "dump-out"; other: string }
  /** Replaces the database's content by that of a dump; the previous content is saved as a copy. */
  | { ask: "dump-in"; other: string };

/** The response: an answer, or an error message. */
export type PostgresSaid =
  | { answer: DatabaseAnswer }
  | { bytes: number | null }
  | { said: string }
  | { problem: string };

const MOST_ROWS = 100;
const MOST_SQL_ROWS = 500;
const MOST_TEXT = 2_000;
/**
 * Time limits for counting the rows of one table, and of all, in milliseconds: callers wait for 15
 * seconds.
 */
const COUNT_MS = 2_000;
const COUNTS_MS = 6_000;

/** OIDs of types with numeric values: int2, int4, int8, float4, float8. */
const NUMBERS = new Set([21, 23, 20, 700, 701]);
const [BOOLEAN, BYTES] = [16, 17];

/**
 * Answers one request from stdin on stdout.
 * @returns the exit code, always 0: an error is part of the response
 */
export async function askPostgres(root: string): Promise<number> {
  const [line] = (await once(createInterface({ input: process.stdin }), "line")) as [string];
  const asked = JSON.parse(line) as PostgresAsked;
  let response: PostgresSaid;
  let client: Client | undefined;
  try {
    if (!usesPostgres(root, process.env)) response = { bytes: null };
    else {
      client = await connectPostgres();
      response = await answer(client, root, asked);
    }
  } catch (error) {
    response = { problem: (error as Error).message };
  }
  process.stdout.write(JSON.stringify(response));
  process.stdin.destroy();
  await client?.end().catch(() => undefined);
  return 0;
}

async function answer(client: Client, root: string, asked: PostgresAsked): Promise<PostgresSaid> {
  switch (asked.ask) {
    case "about": {
      const { rows } = await queryRows(client, "SELECT pg_database_size(current_database())");
      return { bytes: Number(rows[0]![0]) };
    }
    case "tables":
      return { answer: { tables: await tablesWithRows(client) } };
    case "rows":
      return { answer: await rowsOf(client, asked) };
    case "change":
      return { answer: { changed: await change(client, asked) } };
    case "add":
      return { answer: { changed: await add(client, asked.table, asked.values) } };
    case "remove":
      return { answer: { changed: await remove(client, asked) } };
    case "sql":
      return { answer: await runSql(client, asked.sql) };
    case "table-out":
      return { said: await tableOut(client, asked.table, join(root, asked.other)) };
    case "table-in":
      return { said: await tableIn(client, asked.table, join(root, asked.other)) };
    case "dump-out":
      return { said: await dumpDatabase(join(root, asked.other)) };
    case "dump-in":
      return { said: await loadDump(root, join(root, asked.other)) };
  }
}

async function tablesWithRows(client: Client): Promise<Table[]> {
  const tables: Table[] = [];
  const until = Date.now() + COUNTS_MS;
  await client.query(`SET statement_timeout = ${COUNT_MS}`);
  for (const { quoted, keys: _, ...table } of await relations(client)) {
    const rows = Date.now() < until ? await countOf(client, quoted) : undefined;
    tables.push({ ...table, rows });
  }
  return tables;
}

/** The number of rows; undefined if counting takes too long, or fails. */
async function countOf(client: Client, quoted: string): Promise<number | undefined> {
  try {
    const { rows } = await queryRows(client, `SELECT count(*) FROM ${quoted}`);
    return Number(rows[0]![0]);
  } catch {
    return undefined;
  }
}

type Rows = Extract<DatabaseQuestion, { ask: "rows" }>;

async function rowsOf(client: Client, asked: Rows): Promise<DatabaseAnswer> {
  const { order, filter = "" } = asked;
  const { quoted, columns, keys } = await known(client, asked.table, order ? [order.column] : []);
  const names = columns.map(({ name }) => name);
  const holds = names.map(
    (name) => `position(lower($1) IN lower(${escapeIdentifier(name)}::text)) > 0`,
  );
  const where = filter === "" ? "" : ` WHERE ${holds.join(" OR ")}`;
  const values = filter === "" ? [] : [filter];
  const by = order
    ? ` ORDER BY ${escapeIdentifier(order.column)}${order.descending ? " DESC NULLS LAST" : " NULLS FIRST"}`
    : keys.length > 0
      ? ` ORDER BY ${keys.map(escapeIdentifier).join(", ")}`
      : "";
  const picked = [
    ...names.map(escapeIdentifier),
    ...keys.map((key, at) => `${escapeIdentifier(key)}::text AS "its key ${at + 1}"`),
  ];
  const result = await queryRows(
    client,
    `SELECT ${picked.join(", ")} FROM ${quoted}${where}${by} LIMIT ${MOST_ROWS} OFFSET ${Math.trunc(asked.offset)}`,
    values,
  );
  const { rows: counted } = await queryRows(
    client,
    `SELECT count(*) FROM ${quoted}${where}`,
    values,
  );
  const total = Number(counted[0]![0]);
  return {
    columns: names,
    rows: cellsOf(
      result.rows.map((row) => row.slice(0, names.length)),
      result.fields,
      { isPage: true },
    ),
    ids:
      keys.length > 0
        ? result.rows.map((row) => JSON.stringify(row.slice(names.length)))
        : undefined,
    total,
    more: asked.offset + result.rows.length < total,
  };
}

/** A condition that identifies a row, with its values from `$first` on. */
function rowIs(
  { name, keys }: Relation,
  row: string,
  first: number,
): { where: string; values: unknown[] } {
  if (keys.length === 0)
    throw new Error(
      `Single rows of “${name}” have no key that identifies them: change them by SQL.`,
    );
  const values = JSON.parse(row) as unknown[];
  const where = keys
    .map((key, at) => `${escapeIdentifier(key)}::text = $${first + at}`)
    .join(" AND ");
  return { where, values };
}

async function change(
  client: Client,
  asked: Extract<DatabaseQuestion, { ask: "change" }>,
): Promise<number> {
  const table = await known(client, asked.table, [asked.column]);
  const column = escapeIdentifier(asked.column);
  await client.query("BEGIN");
  const { where, values } = rowIs(table, asked.row, 1);
  const found = await queryRows(
    client,
    `SELECT ${column} FROM ${table.quoted} WHERE ${where} FOR UPDATE`,
    values,
  );
  if (found.rows.length === 0) throw new Error("This row no longer exists.");
  if (JSON.stringify(toCell(found.rows[0]![0], found.fields[0]!)) !== JSON.stringify(asked.was))
    throw new Error("Somebody has changed this value meanwhile. Nothing was written.");
  const moved = rowIs(table, asked.row, 2);
  const { rowCount } = await client.query(
    `UPDATE ${table.quoted} SET ${column} = $1 WHERE ${moved.where}`,
    [asked.to, ...moved.values],
  );
  await client.query("COMMIT");
  return rowCount ?? 0;
}

async function add(client: Client, name: string, row: Record<string, string>): Promise<number> {
  const names = Object.keys(row);
  const { quoted } = await known(client, name, names);
  const values =
    names.length === 0
      ? "DEFAULT VALUES"
      : `(${names.map(escapeIdentifier).join(", ")}) VALUES (${names.map((_, at) => `$${at + 1}`).join(", ")})`;
  const { rowCount } = await client.query(`INSERT INTO ${quoted} ${values}`, Object.values(row));
  return rowCount ?? 0;
}

async function remove(
  client: Client,
  { table: name, row }: Extract<DatabaseQuestion, { ask: "remove" }>,
): Promise<number> {
  const table = await known(client, name, []);
  const { where, values } = rowIs(table, row, 1);
  const { rowCount } = await client.query(`DELETE FROM ${table.quoted} WHERE ${where}`, values);
  if (rowCount === 0) throw new Error("This row no longer exists.");
  return rowCount ?? 0;
}

/** Runs several statements as one: all or none. Returns the rows of the last one that has any. */
async function runSql(client: Client, sql: string): Promise<DatabaseAnswer> {
  // An open transaction would end with this connection, and reported changes would be lost.
  for (const statement of splitSql(sql, "postgres")) refuseTransaction(statement);
  const given = await client.query({ text: sql, rowMode: "array" });
  const results = (Array.isArray(given) ? given : [given]) as Awaited<
    ReturnType<typeof queryRows>
  >[];
  const shown = results.findLast(({ fields }) => fields.length > 0);
  if (!shown) return { changed: results.reduce((sum, { rowCount }) => sum + (rowCount ?? 0), 0) };
  const rows = cellsOf(shown.rows.slice(0, MOST_SQL_ROWS), shown.fields, { isPage: false });
  return {
    columns: shown.fields.map(({ name }) => name),
    rows,
    more: shown.rows.length > rows.length,
  };
}

const cellsOf = (
  values: readonly unknown[][],
  fields: readonly FieldDef[],
  { isPage }: { isPage: boolean },
): Cell[][] =>
  fitCells(values, {
    isPage,
    longest: MOST_TEXT,
    toCell: (value, most, column) => toCell(value, fields[column]!, most),
  });

function toCell(
  value: unknown,
  { dataTypeID }: Pick<FieldDef, "dataTypeID">,
  most = MOST_TEXT,
): Cell {
  if (value === null || value === undefined) return null;
  const text = String(value);
  if (NUMBERS.has(dataTypeID) && Number.isFinite(Number(text))) {
    const number = Number(text);
    return Number.isInteger(number) && !Number.isSafeInteger(number) ? { integer: text } : number;
  }
  if (dataTypeID === BOOLEAN) return text === "t" ? "true" : "false";
  if (dataTypeID === BYTES && text.startsWith("\\x")) return { bytes: (text.length - 2) / 2 };
  return text.length > most ? { long: text.slice(0, most), length: text.length } : text;
}
