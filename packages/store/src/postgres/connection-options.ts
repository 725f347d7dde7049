import { Client, types, type ClientConfig } from "pg";
import { POSTGRES_SCHEMA } from "../migrations/sql-dialect.ts";

/** To be let in, in milliseconds. */
const CONNECT_MS = 10_000;
/** PostgreSQL's type `bigint`. `pg` gives it as text, as it may be too large for a number; none of ours is. */
const BIGINT = 20;

/**
 * A client whose texts PostgreSQL takes: it has no NUL in a text, but a model's call id may. A connection that breaks
 * fails its queries, and is no uncaught error besides.
 */
export class TextClient extends Client {
  constructor(config?: string | ClientConfig) {
    super(config);
    this.on("error", () => {});
    const query = this.query.bind(this) as (...words: unknown[]) => unknown;
    this.query = ((text: unknown, values: unknown, ...more: unknown[]) =>
      query(text, Array.isArray(values) ? values.map(withoutNul) : values, ...more)) as never;
  }
}

function withoutNul(value: unknown): unknown {
  if (typeof value === "string") return value.replaceAll("\0", "\ufffd");
  return Array.isArray(value) ? value.map(withoutNul) : value;
}

/** How every connection to the database is made; what is not named is in the schema of Treadle's own. */
export const connectionOptions = (database: string) => ({
  connectionString: database,
  application_name: "treadle",
  connectionTimeoutMillis: CONNECT_MS,
  keepAlive: true,
  types: {
    getTypeParser: ((oid: number, format?: "text" | "binary") =>
      oid === BIGINT && format !== "binary"
        ? Number
        : types.getTypeParser(oid, format as "text")) as typeof types.getTypeParser,
  },
});

/** To be run on every new connection. Not an option of the connection, which proxies refuse. */
export const SET_SCHEMA = `set search_path to ${POSTGRES_SCHEMA}`;
