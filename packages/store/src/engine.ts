import type { Kysely, RawBuilder, Transaction } from "kysely";
import type { Fences } from "./fences.ts";
import type { Schema } from "./schema.ts";
import type { Write } from "./shared-commit.ts";

/** The differences between the two databases. All other SQL of this package is the same for both. */
export interface Engine {
  readonly db: Kysely<Schema>;
  readonly name: "sqlite" | "postgres";
  /** The database in a few words, for the operator: product, version, and the address without its password. */
  readonly description: string;
  readonly write: Write;
  readonly fences: Fences;
  /** Keeps other transactions that lock the same name waiting until this one ends, in whichever process they are. */
  lock(transaction: Transaction<Schema>, name: string): Promise<void>;
  /**
   * Runs one statement while no other process runs one of that name. SQLite needs no lock for it, so it does not wait for
   * other writes there.
   */
  locked<T>(name: string, statement: (db: Kysely<Schema>) => Promise<T>): Promise<T>;
  /** Runs work while no other process does work of that name. */
  exclusively<T>(name: string, work: () => Promise<T>): Promise<T>;
  readonly appendEntries: AppendEntries;
  readonly texts: TextIndex;
  readonly doorbell: Doorbell;
  /** Resolves when nothing is being written. */
  idle(): Promise<void>;
  close(): Promise<void>;
}

/** An entry of a log that has no number yet. */
export interface NewEntry {
  project: string;
  at: number;
  /** The stream that the entry is a piece of; null for any other entry. */
  stream: string | null;
  json: string;
  /** The epoch in which this process owned the project; undefined if writes are not fenced. */
  epoch?: number | undefined;
}

/**
 * Numbers entries and inserts them, all or none. Entries of projects that do not exist are dropped, and so are those of
 * an epoch that is over, whose projects are reported to the fences. All entries of a project have the same epoch.
 * @param group the number of the group, which stays the same when it is tried again: a group whose outcome was lost
 * with the connection is not inserted twice
 * @returns the number of the last entry of each project; undefined if an earlier attempt has inserted them
 */
export type AppendEntries = (
  entries: readonly NewEntry[],
  group: number,
) => Promise<ReadonlyMap<string, number> | undefined>;

/** The search index of message texts. */
export interface TextIndex {
  /** Columns of a row of `message_texts` that the index needs besides the text. */
  columnsOf(text: string): { pieces?: RawBuilder<unknown> };
  /**
   * Rows that may contain every word, newest first: no row that does is missing.
   * @param words in lower case, not empty
   * @param before only rows with a smaller id
   */
  candidates(words: readonly string[], before: number, limit: number): Promise<TextRow[]>;
}

export interface TextRow {
  id: number;
  project: string;
  said: string | null;
  text: string;
}

/** Something that another process changed in the database. */
export type Call =
  | { type: "log"; project: string; head: number }
  | { type: "removed"; project: string }
  | { type: "setting"; key: string };

/**
 * Notifies every other process that has the database open of a change. A notification carries no data and may be
 * missed: a process that receives one, or has received none for a while, reads the database.
 */
export interface Doorbell {
  /** Whether other processes may have the database open. */
  readonly isShared: boolean;
  ring(calls: readonly Call[]): void;
  /** Whether notifications of other processes are being received. */
  isListening(): boolean;
  /** Adds a listener. @param onMissed called whenever calls may have been missed, and at intervals */
  listen(onCall: (call: Call) => void, onMissed: () => void): void;
}

/** The doorbell of a database that one process has open. */
export const silentDoorbell: Doorbell = {
  isShared: false,
  ring: () => {},
  isListening: () => true,
  listen: () => {},
};
