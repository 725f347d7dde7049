import type { Applied, MigrationFile } from "@treadle/workspace/data-conventions";

/** The result of a statement: rows, or the number of changed rows. */
export type Result =
  | { columns: string[]; rows: unknown[][]; more: boolean }
  | { changed: number | undefined };

/** SQL that was refused, with its position. */
export class SqlFailure extends Error {
  override readonly name = "SqlFailure";
  /** Line number, starting at 1. */
  readonly line: number;
  constructor(message: string, line: number) {
    super(message);
    this.line = line;
  }
}

/** A database of an app, of either kind. */
export interface AppDatabase {
  /** Its name for people and the model: `data/app.db`, `PostgreSQL`. */
  readonly name: string;
  applied(): Promise<Applied[]>;
  /**
   * Runs a file in one transaction, and records it.
   * @throws SqlFailure; the file had no effect
   */
  apply(file: MigrationFile & { sql: string }): Promise<void>;
  /** Whether its own tables contain no rows. */
  isEmpty(): Promise<boolean>;
  /**
   * Saves a copy, and removes old ones.
   * @returns its path; undefined if the database is empty
   */
  keepCopy(called: string): Promise<string | undefined>;
  /**
   * Empties the database after saving a copy. Returns a description of the copy, or undefined if there was nothing to
   * save.
   */
  reset(): Promise<string | undefined>;
  /**
   * Runs several statements: all or none.
   * @throws SqlFailure
   */
  query(sql: string, mostRows: number): Promise<Result[]>;
  close(): Promise<void>;
}
