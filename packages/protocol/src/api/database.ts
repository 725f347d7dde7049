/** An app's databases in requests and responses. */

/** Which of an app's data: those of the preview, or those of the published app. */
export type DatabaseEnvironment = "preview" | "published";

/** A SQLite file that an app has written, or its PostgreSQL database. */
export interface Database {
  environment: DatabaseEnvironment;
  /** A PostgreSQL database is exported and imported as SQL. */
  kind: "sqlite" | "postgres";
  /** A path of the project; `PostgreSQL` for that database. */
  path: string;
  /** Absent if its server is unreachable. */
  bytes?: number | undefined;
}

/** A column of a table or view. */
export interface TableColumn {
  name: string;
  /** As declared; may be empty. */
  type: string;
  /** Part of the primary key. */
  key: boolean;
}

/** A table or view with its content. */
export interface Table {
  name: string;
  kind: "table" | "view";
  /** Absent if not counted: counting a view may take long or fail. */
  rows?: number | undefined;
  columns: TableColumn[];
}

/**
 * A value: long text is shortened, bytes are given by their number, and integers beyond JSON's
 * range are text.
 */
export type Cell =
  | string
  | number
  | null
  | { long: string; length: number }
  | { bytes: number }
  | { integer: string };

/** A query on one database. */
export type DatabaseQuestion =
  | { ask: "tables" }
  | {
      ask: "rows";
      table: string;
      /** Rows in which any column holds this text. */
      filter?: string | undefined;
      order?: { column: string; descending: boolean } | undefined;
      offset: number;
    }
  /** `was` is the value as shown, so that a concurrent change is not overwritten. */
  | { ask: "change"; table: string; row: string; column: string; was: Cell; to: string | null }
  | { ask: "add"; table: string; values: Record<string, string> }
  | { ask: "remove"; table: string; row: string }
  | { ask: "sql"; sql: string };

/** The answer to a query: tables, rows, or the number of changed rows. */
export type DatabaseAnswer =
  | { tables: Table[] }
  | {
      columns: string[];
      rows: Cell[][];
      /** Identifies each row for changes; absent if that is impossible (a view). */
      ids?: string[] | undefined;
      /** Number of rows that match the filter; only with `rows`. */
      total?: number | undefined;
      /** Whether there are more than are listed. */
      more: boolean;
    }
  /** Rows that were changed. */
  | { changed: number };
