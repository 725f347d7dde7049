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
  /** Small JSON values by key. Secrets (`secret:` keys) are in the same file, which only its owner can read. */
  readonly settings: SettingStore;
  /** Lists of JSON values, each of which is written by itself: publications, links and the like. */
  readonly lists: ListStore;
  readonly buildResults: BuildResultStore;
  readonly secrets: SecretStore;
  readonly signer: Signer;
  /** The database in a few words, for the operator: product, version, and its address without a password. */
  readonly database: string;
  /** The tables of people, which `@treadle/accounts` reads and writes. */
  readonly accounts: Kysely<AccountTables>;
  /** Encrypts values with the data folder's key, which is read at the first use. */
  sealer(): Sealer;
  /** Flushes what is pending and closes the file. */
  close(): Promise<void>;
}

export interface ProjectRecord {
  id: string;
  name: string;
  createdAt: number;
  updatedAt: number;
  /** `provider:model`. */
  model?: string;
  /** `provider:model` of turns that only plan; absent: `model`. */
  planModel?: string;
  dialect?: "native" | "artifact" | "tags";
  /** Unguessable first label of the preview's host: 26 characters of a–z and 2–7, starting with a letter. */
  capability: string;
  /** A folder of the person's own (`--dir`); absent for one under the data folder. */
  directory?: string;
  /** Id of the recorded build that made it. */
  demo?: string;
  /** The project that it was copied from, as that was called, and the checkpoint. */
  origin?: { project: string; name: string; checkpoint: string; label: string };
  /** The verdict of the last check, or of the last turn that changed files. */
  verdict?: Verdict;
  /** What is known of the files as they stand, which may be others by now. */
  standing?: Verdict;
  /** Hash of the picture that was taken of its page last. */
  picture?: string;
  /** Turns that began; absent: none. */
  turns?: number;
  /** US dollars of the turns that ended; absent if no model had a price. */
  costUsd?: number;
  /** Revision and checkpoint at the end of the last run. The person's changes since are reported relative to it. */
  lastRun?: { checkpoint: string; revision: string };
  /** Hosts that what runs in it may reach besides the registry, as `normaliseAllowedHost` gives them. */
  hosts?: string[];
  /** Whether it may ask the static hosts; absent: it may. */
  staticHosts?: boolean;
  /** Whether its preview is held to its hosts in the person's browser; absent: it is not. */
  limitPreview?: boolean;
  /** How much a turn has to prove; absent: as the server is set up. */
  verdicts?: "thorough" | "quick";
  /** Whether checkpoints include the data of the app's databases; absent: no. */
  keepsData?: boolean;
  /** The app runs in a browser tab of the person's; absent: in a sandbox on this machine. */
  runsIn?: "tab";
  /** What its turns may use; absent: each as much as a turn may by itself. */
  budget?: Budget;
  /** Files of the project's rules that the person switched off. */
  rulesOff?: string[];
  /** Out of the way on the first page. */
  archived?: true;
  /** The comparison that it is an attempt of. */
  comparison?: string;
  /** The project that it works for: it is the copy of a parallel request. */
  parallelOf?: string;
  /** Milliseconds since 1970 when the person deleted it: nobody finds it any more, but it can be put back for a while. */
  deletedAt?: number;
  /** Messages whose run has not ended, the one that runs first: what a restart finds here was interrupted. */
  queue?: QueuedMessage[];
}

export interface QueuedMessage {
  message: string;
  run: string;
  text: string;
  /** `provider:model`. */
  model: string;
  started: boolean;
  /** Delivered to the active run before its next step. It gets its own run only if that run has no further step. */
  now?: true;
  pictures?: PictureInfo[];
  /** Asks for the repair of what is broken. */
  fix?: true;
  /** Items of the last turn, in its words, that the message asks to show by checks: they may already work. */
  prove?: string[];
  /** A plan to carry out. */
  plan?: string;
  /** Files that the person had open in the editor. */
  open?: string[];
  /** Its run waits for the person's answer, and still does after a restart. */
  waits?: true;
  /** Absent: `act`. */
  mode?: RunMode;
  /** How much the model is to think, for this run alone. */
  thinking?: ThinkingLevel;
  /** How long its provider caches prompts, for this run alone. */
  cache?: CacheLevel;
  /** In place of the project's own mode of approval, for this run alone. */
  approve?: ApprovalMode;
  limits?: { steps?: number; costUsd?: number; ms?: number };
}

/** Deleted projects (`deletedAt`) are only in `deleted`; all other methods treat them as absent. */
export interface ProjectStore {
  create(project: ProjectRecord): Promise<void>;
  get(id: string): Promise<ProjectRecord | undefined>;
  byCapability(capability: string): Promise<ProjectRecord | undefined>;
  /** The one that changed last, if several are in that folder. */
  byDirectory(directory: string): Promise<ProjectRecord | undefined>;
  /** Newest change first. */
  list(): Promise<ProjectRecord[]>;
  /** What may still be put back. */
  deleted(): Promise<ProjectRecord[]>;
  update(id: string, change: Partial<Omit<ProjectRecord, "id">>): Promise<void>;
  /** With its messages, log, reports and secrets. */
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
  /** Adds, or replaces the message of that id in its place. */
  put(project: string, message: StoredMessage): Promise<void>;
  /** In the order in which they were first put. One of more than 32 MB is there as a sentence that says so. */
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
  /** The person's message that it is, or that it answers; empty where nobody asked. */
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
   * Resolves when everything appended so far is durable; rejects with the reason when it cannot be.
   * @param project of which it is asked as well whether an event was not taken; it then rejects, once
   */
  settled(project?: string): Promise<void>;
  /** Entries after `after`, in order. */
  read(project: string, after: number, limit?: number): Promise<LogEntry[]>;
  /** The next entries after `after`, some at a time, without the pieces of long texts; none at the end. */
  readFacts(project: string, after: number): Promise<LogEntry[]>;
  /** The next entries after `after`, some at a time, as they were before anything was shortened; none at the end. */
  readWhole(project: string, after: number): Promise<LogEntry[]>;
  /** The newest entries from one of a person's last messages on, at most 1 MB; none where there is no such message. */
  readLatest(project: string): Promise<LogEntry[]>;
  /** A call's entries that the log shows with head and tail, whole. */
  cutOf(project: string, call: string): Promise<LogEntry[]>;
  /**
   * Everything after `after`, then live, without gap or duplicate, until the returned function is called.
   * A slow listener does not hold up the others: it is called with batches and may return a promise to be awaited.
   */
  follow(
    project: string,
    after: number,
    listener: (entries: LogEntry[]) => void | Promise<void>,
  ): () => void;
  /**
   * Gives the entries up to `until` to another project, which has none yet, under the same numbers and with their times;
   * those of the numbers in `without` are left out. Later entries of the other project count on from there.
   */
  copy(from: string, to: string, until: number, without: readonly number[]): Promise<void>;
  /** Number of the newest entry; 0 when there is none. */
  head(project: string): Promise<number>;
  /**
   * Replaces the pieces of each long text (`text`, `reasoning`, `call-delta`, `output`) of the runs that have ended by
   * one `whole` entry in the place of the last. Output over 1 MB keeps its head and tail, 512 KB of each. Of what is long
   * of a call readers see 1,000 characters from then on; `readWhole` and `cutOf` have the whole.
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
  /** The items of a list in the order in which they were first put; none of one that nobody put anything into. */
  all<T>(list: string): Promise<T[]>;
  /** Adds an item, or replaces the one of that name in its place. */
  put(list: string, name: string, value: unknown): Promise<void>;
  remove(list: string, name: string): Promise<void>;
}

/** Proves later whether a statement was made by the server of this data folder. */
export interface Signer {
  sign(parts: readonly string[]): string;
  /** In constant time. */
  isSigned(parts: readonly string[], signature: string): boolean;
}

/** A secret without its value. */
export interface SecretRecord {
  name: string;
  host: string;
  environment: SecretEnvironment;
}

/** A generated app's own secrets. One of an environment alone comes before the one of that name for both. */
export interface SecretStore {
  /** By name. Values stay here. */
  list(project: string): Promise<SecretRecord[]>;
  /**
   * With values, one of a name, for the server process in that environment and nobody else. One that cannot be read any
   * more (the key file beside the database is another) is left out.
   */
  reveal(
    project: string,
    environment: Exclude<SecretEnvironment, "both">,
  ): Promise<{ name: string; host: string; value: string }[]>;
  /** One for both takes the place of all of that name. */
  put(project: string, secret: SecretRecord & { value: string }): Promise<void>;
  /** @param environment of which; absent: all of that name */
  remove(project: string, name: string, environment?: SecretEnvironment): Promise<void>;
}

export interface BuildResultStore {
  put(session: string, report: Record<string, unknown>, ranAtMs: number): Promise<void>;
  get(session: string): Promise<{ report: Record<string, unknown>; ranAtMs: number } | undefined>;
  remove(session: string): Promise<void>;
}

/** Something that is not as it has to be. */
export interface Finding {
  /** The affected project, file or row. */
  where: string;
  /** What is wrong, and what to do where nothing mends it. */
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
  /** PostgreSQL does not answer, or lets nobody in. */
  | "unreachable"
  /** What is to be opened is no address of a PostgreSQL database. */
  | "address"
  /** PostgreSQL is to be opened, and the projects of the data folder are in SQLite still. */
  | "unmoved"
  /** Projects are to be moved to a PostgreSQL database that has some already. */
  | "occupied"
  /** SQLite is to be opened, and the projects of the data folder are in PostgreSQL. */
  | "moved";

export class StoreError extends Error {
  readonly code: StoreErrorCode;
  /** What `message` says, with its code and values. */
  readonly sentence: Sentence;
  constructor(code: StoreErrorCode, what: Sentence, options?: ErrorOptions) {
    super(what.text, options);
    this.name = "StoreError";
    this.code = code;
    this.sentence = what;
  }
}
