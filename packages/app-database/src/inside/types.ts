import type { Applied, MigrationFile } from "@treadle/workspace/data-conventions";

/** What a statement gave: rows, or how many it changed. */
export type Result =
  | { columns: string[]; rows: unknown[][]; more: boolean }
  | { changed: number | undefined };

/** SQL that was refused, and where in its text. */
export class SqlFailure extends Error {
  override readonly name = "SqlFailure";
  /** From 1. */
  readonly line: number;
  constructor(message: string, line: number) {
    super(message);
    this.line = line;
  }
}

/** A database of an app, whichever kind it is. */
export interface AppDatabase {
  /** As people and the model read it: `data/app.db`, `PostgreSQL`. */
  readonly name: string;
  applied(): Promise<Applied[]>;
  /** Runs a file in one transaction, and keeps that it has. @throws SqlFailure; nothing of it was kept */
  apply(file: MigrationFile & { sql: string }): Promise<void>;
  /** Whether its own tables hold no row. */
  isEmpty(): Promise<boolean>;
  /** Keeps a copy of it as it stands; of few of them the newest stay. @returns where, undefined where it holds nothing yet */
  keepCopy(called: string): Promise<string | undefined>;
  /** Begins anew. A copy of what was there is kept. */
  reset(): Promise<string | undefined>;
  /** Several statements: all or none. @throws SqlFailure */
  query(sql: string, mostRows: number): Promise<Result[]>;
  close(): Promise<void>;
}
