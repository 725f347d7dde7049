import type { Table } from "@treadle/protocol";
import { escapeIdentifier, type Client } from "pg";
import { queryRows } from "./connect-postgres.ts";

const MOST_TABLES = 200;

/** A table or view of the app. */
export interface Relation extends Table {
  /** Its name as written in SQL. */
  quoted: string;
  keys: string[];
}

/** The app's tables and views; those outside of the schema `public` are prefixed with theirs. */
export async function relations(client: Client): Promise<Relation[]> {
  const { rows } = await queryRows(
    client,
    `SELECT n.nspname, c.relname, c.relkind IN ('v', 'm') AS view,
       (SELECT json_agg(json_build_object('name', a.attname, 'type', format_type(a.atttypid, a.atttypmod),
          'key', coalesce(a.attnum = ANY (i.indkey), false)) ORDER BY a.attnum)
        FROM pg_attribute a LEFT JOIN pg_index i ON i.indrelid = c.oid AND i.indisprimary
        WHERE a.attrelid = c.oid AND a.attnum > 0 AND NOT a.attisdropped)
     FROM pg_class c JOIN pg_namespace n ON n.oid = c.relnamespace
     WHERE c.relkind IN ('r', 'p', 'v', 'm') AND n.nspname NOT IN ('pg_catalog', 'information_schema')
       AND n.nspname NOT LIKE 'pg\\_%' AND NOT c.relispartition
     ORDER BY view, n.nspname, c.relname LIMIT ${MOST_TABLES}`,
  );
  return (rows as [string, string, string, string | null][]).map(
    ([schema, name, view, columns]) => {
      const all = JSON.parse(columns ?? "[]") as Table["columns"];
      return {
        name: schema === "public" ? name : `${schema}.${name}`,
        kind: view === "t" ? "view" : "table",
        rows: 0,
        columns: all,
        quoted: `${escapeIdentifier(schema)}.${escapeIdentifier(name)}`,
        keys: all.filter(({ key }) => key).map((column) => column.name),
      };
    },
  );
}

/**
 * Finds a table or view of the app, and checks that it has these columns.
 * @throws Error with a message for people if the table or a column does not exist
 */
export async function known(client: Client, table: string, columns: string[]): Promise<Relation> {
  const found = (await relations(client)).find(({ name }) => name === table);
  if (!found) throw new Error(`There is no table “${table}”.`);
  for (const column of columns)
    if (!found.columns.some(({ name }) => name === column))
      throw new Error(`The table “${table}” has no column “${column}”.`);
  return found;
}
