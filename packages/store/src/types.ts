/**
 * The stored data: projects, their messages, their log, settings and reports, in SQLite or PostgreSQL (TEXT ids, BIGINT
 * milliseconds, TEXT JSON). Several processes may have the same PostgreSQL open. All rejections are `StoreError`.
 */
import type { Kysely } from "kysely";
import type { AccountTables } from "./account-tables.ts";
import type { Sealer } from "./secrets/seal.ts";
import type { Sentence } from "@treadle/protocol/sentences";
import type {
  ApprovalMode,
  Author,
  Budget,
  LogEntry,
  LogEvent,
  PictureInfo,
  RunMode,
  SecretEnvironment,
  Verdict,
  CacheLevel,
  ThinkingLevel,
} from "@treadle/protocol";

export interface Store {
  readonly projects: ProjectStore;
  readonly messages: MessageStore;
  readonly log: LogStore;
  readonly search: SearchStore;
  /** Small JSON values by key. Secrets (`secret:` keys) are encrypted with the data folder's key. */
  readonly settings: SettingStore;
  /** Lists of JSON values whose items are written separately: publications, links and the like. */
  readonly lists: ListStore;
  readonly buildResults: BuildResultStore;
  readonly secrets: SecretStore;
  readonly signer: Signer;
  /** Claims of servers on projects and jobs, if several servers share the database. */
  readonly leases: LeaseStore;
  /** The database in a few words, for the operator: product, version, and its address without a password. */
  readonly database: string;
  /** The tables of people, which `@treadle/accounts` reads and writes. */
  readonly accounts: Kysely<AccountTables>;
  /** Encrypts values with the data folder's key, which is read at the first use. */
  sealer(): Sealer;
  /** Writes everything pending and closes the database. */
  close(): Promise<void>;
}

export interface ProjectRecord {
  id: string;
  name: string;
  createdAt: number;
  updatedAt: number;
  /** `provider:model`. */
  model?: string;
  /** `provider:model` for planning turns; absent: `model`. */
  planModel?: string;
  dialect?: "native" | "artifact" | "tags";
  /** Unguessable first label of the preview's host: 26 characters of a–z and 2–7, starting with a letter. */
  capability: string;
  /** The user's own folder (`--dir`); absent if it is in the data folder. */
  directory?: string;
  /** The id of the recorded build that created it. */
  demo?: string;
  /** The project that it was copied from, with its name at that time, and the checkpoint. */
  origin?: { project: string; name: string; checkpoint: string; label: string };
  /** The verdict of the last check, or of the last turn that changed files. */
  verdict?: Verdict;
  /** The verdict on the files as last seen; they may have changed since. */
  standing?: Verdict;
  /** Hash of the latest picture of its page. */
  picture?: string;
  /** Number of turns started; absent: none. */
  turns?: number;
  /** US dollars spent in ended turns; absent if no model had a price. */
  costUsd?: number;
  /** Revision and checkpoint at the end of the last run. The person's changes since are reported relative to it. */
  lastRun?: { checkpoint: string; revision: string };
  /** Hosts that it may reach besides the registry, normalised by `normaliseAllowedHost`. */
  hosts?: string[];
  /** Whether it may request the static hosts; absent: yes. */
  staticHosts?: boolean;
  /** Whether the user's browser limits the preview to its hosts; absent: no. */
  limitPreview?: boolean;
  /** How much a turn has to prove; absent: the server's setting. */
  verdicts?: "thorough" | "quick";
  /** Whether checkpoints include the data of the app's databases; absent: no. */
  keepsData?: boolean;
  /** The app runs in the user's browser tab; absent: in a sandbox on this machine. */
  runsIn?: "tab";
  /** The limits of its turns; absent: only the default limit of each turn. */
  budget?: Budget;
  /** Files of the project's rules that the user switched off. */
  rulesOff?: string[];
  /** Whether it is hidden on the first page. */
  archived?: true;
  /** The comparison that it is an attempt of. */
  comparison?: string;
  /** The project of which this is a copy for a parallel request. */
  parallelOf?: string;
  /**
   * Milliseconds since 1970 when the user deleted it: it is hidden, but can be restored for a
   * while.
   */
  deletedAt?: number;
  /** Messages whose run has not ended, in order: what a restart finds here was interrupted. */
  queue?: QueuedMessage[];
}

export interface QueuedMessage {
  message: string;
  run: string;
  text: string;
  /** The id of the person who sent it; absent on a server of one person. */
  person?: string | undefined;
  /** Who sent it; absent on a server of one person. */
  by?: Author;
  /** `provider:model`. */
  model: string;
  started: boolean;
  /** Delivered to the active run before its next step. It gets its own run only if that run has no further step. */
  now?: true;
  pictures?: PictureInfo[];
  /** Asks to fix what is broken. */
  fix?: true;
  /** Items of the last turn that the message asks to show with checks; they may already work. */
  prove?: string[];
  /** A plan to carry out. */
  plan?: string;
  /** Files that the user had open in the editor. */
  open?: string[];
  /** Whether the message's run waits for the user's answer; it still does after a restart. */
  waits?: true;
  /** Absent: `act`. */
  mode?: RunMode;
  /** How much the model thinks in this run. */
  thinking?: ThinkingLevel;
  /** How long the provider caches prompts in this run. */
  cache?: CacheLevel;
  /** The mode of approval for this run, instead of the project's. */
  approve?: ApprovalMode;
  limits?: { steps?: number; costUsd?: number; ms?: number };
}

/** Deleted projects (`deletedAt`) are only in `deleted`; all other methods treat them as absent. */
export interface ProjectStore {
  create(project: ProjectRecord): Promise<void>;
  get(id: string): Promise<ProjectRecord | undefined>;
  byCapability(capability: string): Promise<ProjectRecord | undefined>;
  /** The project in that folder; the most recently changed one if there are several. */
  byDirectory(directory: string): Promise<ProjectRecord | undefined>;
  /** All projects, the most recently changed one first. */
  list(): Promise<ProjectRecord[]>;
  /** Projects that can still be restored. */
  deleted(): Promise<ProjectRecord[]>;
  update(id: string, change: Partial<Omit<ProjectRecord, "id">>): Promise<void>;
  /** Removes a project with its messages, log, reports and secrets. */
  remove(id: string): Promise<void>;
}

/** A stored message: the AI SDK's `UIMessage`, unchanged. */
export interface StoredMessage {
  id: string;
  role: "user" | "assistant" | "system";
  parts: unknown[];
  metadata?: unknown;
}

export interface MessageStore {
  /** Adds the message, or replaces the one with that id in place. */
  put(project: string, message: StoredMessage): Promise<void>;
  /** All messages in insertion order. A message over 32 MB is replaced by a sentence that says so. */
  list(project: string): Promise<StoredMessage[]>;
}

export interface SearchStore {
  /**
   * Messages of all projects that contain every word, ignoring case, newest first. Tool calls and their results are not
   * searched.
   * @param limit maximum number of messages
   */
  messages(text: string, limit: number): Promise<{ found: FoundMessage[]; more: boolean }>;
}

export interface FoundMessage {
  project: string;
  /** The user's message: this one, or the one that it answers; empty if there is none. */
  message: string;
  /** An excerpt around the match, on one line. */
  excerpt: string;
}

export interface LogStore {
  /**
   * Queues the event. Entries are committed in groups, each within 20 ms; they get their numbers then, and only then are
   * they shown to readers. Never blocks and never throws: a failed commit is reported by `settled` and `onFailure`, and
   * retried. `at` is the time of the event if that is not now. Returns whether the event was taken. It is refused if its
   * project has been removed or 64 MB are waiting for the disk (80 MB for events other than pieces of a long text). A
   * refused event is in no log, so nothing may depend on it; `settled` reports the refusal.
   */
  append(project: string, event: LogEvent, at?: number): boolean;
  /**
   * Resolves when everything appended so far is durable; rejects with the reason if that is
   * impossible.
   * @param project also checks whether one of its events was refused; the call then rejects, once
   */
  settled(project?: string): Promise<void>;
  /** Entries after `after`, in order. */
  read(project: string, after: number, limit?: number): Promise<LogEntry[]>;
  /**
   * The next entries after `after`, in batches, without the pieces of long texts; none at the end.
   */
  readFacts(project: string, after: number): Promise<LogEntry[]>;
  /** The next entries after `after`, in batches, with full texts; none at the end. */
  readWhole(project: string, after: number): Promise<LogEntry[]>;
  /**
   * The newest entries starting with one of the user's last messages, at most 1 MB; none if there
   * is no such message.
   */
  readLatest(project: string): Promise<LogEntry[]>;
  /** A call's shortened entries, with full texts. */
  cutOf(project: string, call: string): Promise<LogEntry[]>;
  /**
   * Delivers everything after `after`, then live entries, without gaps or duplicates, until the
   * returned function is called. A slow listener does not delay others: it is called with batches
   * and may return a promise to be awaited.
   */
  follow(
    project: string,
    after: number,
    listener: (entries: LogEntry[]) => void | Promise<void>,
  ): () => void;
  /**
   * Copies the entries up to `until` to another project without a log, with the same numbers and
   * times; the numbers in `without` are omitted. Later entries of the other project continue the
   * numbering.
   */
  copy(from: string, to: string, until: number, without: readonly number[]): Promise<void>;
  /** Number of the newest entry; 0 if there is none. */
  head(project: string): Promise<number>;
  /**
   * Replaces the pieces of each long text (`text`, `reasoning`, `call-delta`, `output`) of ended
   * runs with one `whole` entry at the position of the last piece. Output over 1 MB is cut to its
   * head and tail, 512 KB each. Readers then see 1,000 characters of each long text of a call;
   * `readWhole` and `cutOf` return the full text.
   */
  compact(project: string): Promise<void>;
}

export interface SettingStore {
  get<T>(key: string): Promise<T | undefined>;
  /** Every setting by its key, without secrets that cannot be read any more. */
  all(): Promise<Map<string, unknown>>;
  /** `undefined` removes the setting. */
  set(key: string, value: unknown): Promise<void>;
  /** Replaces a value by what `change` makes of it; nobody else changes the setting meanwhile. */
  update<T>(key: string, change: (value: T | undefined) => T | undefined): Promise<void>;
  remove(key: string): Promise<void>;
}

export interface ListStore {
  /** The items of a list in insertion order; empty for an unknown list. */
  all<T>(list: string): Promise<T[]>;
  /** Adds an item, or replaces the one with that name in place. */
  put(list: string, name: string, value: unknown): Promise<void>;
  remove(list: string, name: string): Promise<void>;
}

/** A running claim of a server. */
export interface Lease {
  server: string;
  /** Where other servers reach the owner. */
  address: string;
  /** Increases with each new owner. */
  epoch: number;
}

/** Claims that end unless they are renewed. Durations are in milliseconds, measured by the database's clock. */
export interface LeaseStore {
  /**
   * Takes what nobody owns, or whose lease has ended, for `ms`; extends an own lease. Returns the lease that is running
   * afterwards, which is another server's if that owns it.
   */
  acquire(name: string, by: Pick<Lease, "server" | "address">, ms: number): Promise<Lease>;
  /** Extends every lease of a server. Returns the epochs by name: one that is missing was lost. */
  renew(server: string, ms: number): Promise<Map<string, number>>;
  /**
   * Ends a lease of that epoch; ignored if it is over.
   * @param isUnfinished whether another server has to end what is left of the work
   */
  release(name: string, epoch: number, isUnfinished: boolean): Promise<void>;
  /** The running lease; undefined if nobody owns it. */
  find(name: string): Promise<Lease | undefined>;
  /** What ended without being finished, because its owner stopped, was killed or lost its connection. */
  orphans(): Promise<string[]>;
  /**
   * From here on, writes to a project (its record, messages, log, secrets, and settings and items of its name) are
   * refused with `not-owner` unless this process owns it.
   * @param onLost called once for each lease by which a write was refused
   */
  fence(onLost: (name: string, epoch: number) => void): void;
  /** Forgets a lost lease, once nothing writes in its epoch any more. */
  forget(name: string): void;
}

/** Proves later whether a statement was made by the server of this data folder. */
export interface Signer {
  sign(parts: readonly string[]): string;
  /** Compares in constant time. */
  isSigned(parts: readonly string[], signature: string): boolean;
}

/** A secret without its value. */
export interface SecretRecord {
  name: string;
  host: string;
  environment: SecretEnvironment;
}

/**
 * A generated app's own secrets. One for a single environment takes precedence over one of the same
 * name for both.
 */
export interface SecretStore {
  /** The project's secrets sorted by name, without values. */
  list(project: string): Promise<SecretRecord[]>;
  /**
   * The secrets with values, one per name, for the server process in that environment only. Unreadable
   * ones (if the key file in the data folder was replaced) are omitted.
   */
  reveal(
    project: string,
    environment: Exclude<SecretEnvironment, "both">,
  ): Promise<{ name: string; host: string; value: string }[]>;
  /** Stores a secret. One for both environments replaces all of that name. */
  put(project: string, secret: SecretRecord & { value: string }): Promise<void>;
  /** Removes a secret. @param environment absent: removes all of that name */
  remove(project: string, name: string, environment?: SecretEnvironment): Promise<void>;
}

export interface BuildResultStore {
  put(session: string, report: Record<string, unknown>, ranAtMs: number): Promise<void>;
  get(session: string): Promise<{ report: Record<string, unknown>; ranAtMs: number } | undefined>;
  remove(session: string): Promise<void>;
}

/** A problem that was found. */
export interface Finding {
  /** The affected project, file or row. */
  where: string;
  /** What is wrong, and what to do if it cannot be repaired. */
  problem: string;
  /** How it was repaired; absent if it was not. */
  mended?: string;
}

export type StoreErrorCode =
  | "not-writable"
  | "full"
  | "corrupt"
  | "newer"
  | "busy"
  | "failed"
  /** PostgreSQL does not answer, or refuses the connection. */
  | "unreachable"
  /** The given address is not one of a PostgreSQL database. */
  | "address"
  /** PostgreSQL should be opened, but the projects of the data folder are still in SQLite. */
  | "unmoved"
  /** Projects should be moved to a PostgreSQL database that has data already. */
  | "occupied"
  /** SQLite should be opened, but the projects of the data folder are in PostgreSQL. */
  | "moved"
  /** Another server owns the project, or nobody does. */
  | "not-owner";

export class StoreError extends Error {
  readonly code: StoreErrorCode;
  /** The content of `message`, as code and values. */
  readonly sentence: Sentence;
  constructor(code: StoreErrorCode, what: Sentence, options?: ErrorOptions) {
    super(what.text, options);
    this.name = "StoreError";
    this.code = code;
    this.sentence = what;
  }
}
