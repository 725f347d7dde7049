import type { SecretEnvironment } from "@treadle/protocol";
import type { AccountTables } from "./account-tables.ts";
import type { Generated } from "kysely";

/** The tables, the same in both databases: TEXT ids, BIGINT milliseconds, TEXT JSON. */
export interface Schema extends AccountTables {
  projects: ProjectsTable;
  messages: MessagesTable;
  log: LogTable;
  log_bodies: LogBodiesTable;
  log_heads: LogHeadsTable;
  message_texts: MessageTextsTable;
  settings: SettingsTable;
  list_items: ListItemsTable;
  build_results: BuildResultsTable;
  secrets: SecretsTable;
  leases: LeasesTable;
}

/** Claims of servers, by the name of what is owned: a project's id, or a job. A row stays, since its epoch only grows. */
export interface LeasesTable {
  name: string;
  /** The owner; null once it has released the lease. */
  server: string | null;
  /** Where other servers reach the owner. */
  address: string | null;
  /** Increases with each new owner, and fences the writes of former ones. */
  epoch: number;
  /** When the lease ends unless it is renewed, by the database's clock. */
  ends_at: number;
  /** Whether work may be left that the next owner has to end: 1 or 0. */
  unfinished: number;
}

export interface ProjectsTable {
  id: string;
  capability: string;
  directory: string | null;
  updated_at: number;
  /** The complete record as JSON; the other columns serve lookups and sorting. */
  record: string;
  /** Log entries up to this number have been compacted. */
  compacted: number;
}

export interface MessagesTable {
  project: string;
  /** Position in insertion order, from 1. */
  position: number;
  id: string;
  message: string;
}

/** A message's text for the search. */
export interface MessageTextsTable {
  id: Generated<number>;
  project: string;
  message: string;
  /** The user's message: this one, or the one that it answers. */
  said: string | null;
  text: string;
  /** In PostgreSQL: the pieces that the text is found by; null if it has too many. */
  pieces?: unknown;
}

export interface LogTable {
  project: string;
  seq: number;
  at: number;
  /** The stream that this is a piece of; null for complete events. */
  stream: string | null;
  bytes: number;
  event: string;
}

/** The full texts of entries that the log shortens. */
export interface LogBodiesTable {
  project: string;
  /** The number of its entry. */
  seq: number;
  call: string;
  body: Uint8Array;
}

/** The number of each log's newest entry. An append increases it and delays others to that log until its commit. */
export interface LogHeadsTable {
  project: string;
  head: number;
}

export interface SettingsTable {
  key: string;
  value: string;
}

export interface ListItemsTable {
  list: string;
  name: string;
  /** Position in insertion order. */
  position: number;
  value: string;
}

export interface BuildResultsTable {
  session: string;
  ran_at: number;
  report: string;
}

export interface SecretsTable {
  project: string;
  name: string;
  environment: SecretEnvironment;
  host: string;
  /** The value, encrypted with the data folder's key; base64. */
  sealed: string;
}
