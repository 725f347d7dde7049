import type { ColumnDataType } from "kysely";

/**
 * What SQLite and PostgreSQL spell differently in a migration. `text`, `bigint` (milliseconds, numbers, 0 and 1 for
 * no and yes), keys, indexes, references and `on conflict` are the same in both. JSON is text.
 */
export interface SqlDialect {
  readonly name: "sqlite" | "postgres";
  /** The type of a column of bytes. */
  readonly bytes: Extract<ColumnDataType, "blob" | "bytea">;
  /** The type of a primary key that the database counts up. */
  readonly counter: Extract<ColumnDataType, "integer" | "bigserial">;
}

export const DIALECTS: Readonly<Record<SqlDialect["name"], SqlDialect>> = {
  sqlite: { name: "sqlite", bytes: "blob", counter: "integer" },
  postgres: { name: "postgres", bytes: "bytea", counter: "bigserial" },
};

/** In PostgreSQL the tables are in a schema of their own: the database may hold another program's as well. */
export const POSTGRES_SCHEMA = "treadle";
