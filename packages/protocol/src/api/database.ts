/** What an app keeps in databases, as the routes tell of it and take it. */

/** Where an app keeps data of its own: what the preview wrote, and what the published app did. */
export type DatabaseEnvironment = "preview" | "published";

/** A SQLite file that an app has written, or its PostgreSQL database. */
export interface Database {
  environment: DatabaseEnvironment;
  /** The second is exported and imported as SQL. */
  kind: "sqlite" | "postgres";
  /** A path of the project; `PostgreSQL` for that database. */
  path: string;
  /** Absent where the server that it is on is not reached. */
  bytes?: number | undefined;
}

/** A column of a table or view. */
export interface TableColumn {
  name: string;
  /** As it was declared; may be empty. */
  type: string;
  /** Part of the primary key. */
  key: boolean;
}

/** A table or view, with what is in it. */
export interface Table {
  name: string;
  kind: "table" | "view";
  /** Absent where they were not counted: of a view that may take long, or of one that names what is gone. */
  rows?: number | undefined;
  columns: TableColumn[];
}

/** A value: long text has its beginning only, bytes their number, and integers beyond what JSON takes are text. */
export type Cell =
  | string
  | number
  | null
  | { long: string; length: number }
  | { bytes: number }
  | { integer: string };

/** What is asked of one database. */
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

/** What a database says to a question: its tables, rows, or how many were changed. */
export type DatabaseAnswer =
  | { tables: Table[] }
  | {
      columns: string[];
      rows: Cell[][];
      /** What each row is found by again; absent where it cannot be (a view). */
      ids?: string[] | undefined;
      /** With the filter, of `rows` alone. */
      total?: number | undefined;
      /** More exist than are listed. */
      more: boolean;
    }
  /** Rows that were changed. */
  | { changed: number };
