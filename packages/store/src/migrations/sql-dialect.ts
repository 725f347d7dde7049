import type { ColumnDataType } from "kysely";

/**
 * The differences between SQLite and PostgreSQL in migrations. `text`, `bigint` (milliseconds,
 * numbers, 0 and 1 for booleans), keys, indexes, references and `on conflict` are the same in both.
 * JSON is text.
 */
export interface SqlDialect {
  readonly name: "sqlite" | "postgres";
  /** The type of a binary column. */
  readonly bytes: Extract<ColumnDataType, "blob" | "bytea">;
  /** The type of a primary key that increments automatically. */
  readonly counter: Extract<ColumnDataType, "integer" | "bigserial">;
}

export const DIALECTS: Readonly<Record<SqlDialect["name"], SqlDialect>> = {
  sqlite: { name: "sqlite", bytes: "blob", counter: "integer" },
  postgres: { name: "postgres", bytes: "bytea", counter: "bigserial" },
};

/**
 * In PostgreSQL the tables are in their own schema, because the database may contain another
 * program's tables as well.
 */
export const POSTGRES_SCHEMA = "treadle";
