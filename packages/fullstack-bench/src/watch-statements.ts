import { randomUUID } from "node:crypto";
import { setTimeout as sleep } from "node:timers/promises";
import { Client } from "pg";
import type { JudgesPostgres } from "./judges-postgres.ts";
import type { NamedTable } from "./match-tables.ts";
import { readStatementLog, writesRows } from "./statement-log.ts";

/** The application name of our own queries in the log. */
const OWN = "treadle-judges";
/** Milliseconds until a query has to be in the log. */
const LOGGED_MS = 10_000;
const AGAIN_MS = 20;

/** The app's statements up to a moment. */
export interface StatementCount {
  all: number;
  writes: number;
}

/**
 * Counts what the app has sent to the server so far. A statement of our own marks the moment: once
 * it is in the log, everything before it is as well.
 */
export async function countStatements(postgres: JudgesPostgres): Promise<StatementCount> {
  const mark = randomUUID();
  await ask(postgres, `SELECT '${mark}'`);
  let log = "";
  for (const until = Date.now() + LOGGED_MS; Date.now() < until; await sleep(AGAIN_MS)) {
    log = await postgres.log();
    if (log.includes(mark)) break;
  }
  const statements = readStatementLog(log).filter(
    ({ application, user }) => application !== OWN && user !== "postgres",
  );
  return {
    all: statements.length,
    writes: statements.filter(({ sql }) => writesRows(sql)).length,
  };
}

/** The tables of the benchmark's database, dumped like the judges do. */
export async function readTables(postgres: JudgesPostgres): Promise<NamedTable[]> {
  const rows = await ask<{ schema: string; name: string; columns: string[] }>(
    postgres,
    `SELECT t.table_schema AS schema, t.table_name AS name, array_agg(c.column_name::text) AS columns
     FROM information_schema.tables t
     JOIN information_schema.columns c USING (table_schema, table_name)
     WHERE t.table_type = 'BASE TABLE' AND t.table_schema NOT IN ('pg_catalog', 'information_schema')
     GROUP BY 1, 2 ORDER BY 1, 2`,
  );
  return rows.map(({ schema, name, columns }) => ({
    name: schema === "public" ? name : `${schema}.${name}`,
    columns,
  }));
}

/** Runs statements in the benchmark's database, as the judges do with an app's first `*.sql`. */
export async function runSql(postgres: JudgesPostgres, sql: string): Promise<void> {
  await ask(postgres, sql);
}

async function ask<Row extends object>(postgres: JudgesPostgres, sql: string): Promise<Row[]> {
  const client = new Client({ ...(await postgres.config()), application_name: OWN });
  client.on("error", () => undefined);
  await client.connect();
  try {
    return (await client.query<Row>(sql)).rows;
  } finally {
    await client.end();
  }
}
