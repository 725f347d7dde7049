import { Client, types, type ClientConfig } from "pg";
import { POSTGRES_SCHEMA } from "../migrations/sql-dialect.ts";

/** Time limit for connecting, in milliseconds. */
const CONNECT_MS = 10_000;
/** PostgreSQL's type `bigint`. `pg` returns it as text, as it may be too large for a number; none of ours is. */
const BIGINT = 20;

/**
 * A client that replaces NUL characters, which PostgreSQL refuses in texts but a model's call id may contain. If its
 * connection breaks, its queries fail, and no uncaught error is thrown besides.
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

/** The options of every connection to the database. */
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

/** Run on every new connection. It is not a connection option, because proxies refuse those. */
export const SET_SCHEMA = `set search_path to ${POSTGRES_SCHEMA}`;
