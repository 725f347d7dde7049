/**
 * The workspace: where a project's files live and its commands run.
 * Every path is relative to the project, with `/`, and is refused (`WorkspaceError` `path`) if it
 * is absolute, leads out of the project, or contains a NUL. All operations reject only with
 * `WorkspaceError`; after `stop()` they reject with code `stopped`. No operation ever follows a
 * link out of the project.
 */
import { sentence, type Sentence } from "@treadle/protocol/sentences";
import type { WorkspaceSettings } from "@treadle/egress";
import type { MayInstall } from "@treadle/egress";
import type { RefusalReason } from "@treadle/egress/refused-header";
import type { Duplex } from "node:stream";
import type { CountedScript } from "./wire/counted-script.ts";
import type { EndedPart } from "./wire/ended-part.ts";
import type { FileInfo, ProjectPath, ServerState } from "@treadle/protocol";
import type { OwnPostgres, PostgresOptions, Programs } from "./postgres-types.ts";

export type { CountedScript };
export type { OwnPostgres, PostgresOptions, PostgresReport } from "./postgres-types.ts";

export interface Workspace {
  readonly files: WorkspaceFiles;

  /**
   * Runs one shell command (`bash -c`) to its end, in the project's folder. With `adopt`, a command that keeps running
   * and starts listening becomes the project's server, and the promise resolves with `adopted` (models write `npm start`
   * as a plain command). A port that the system chose, as in tests, counts only after 15 s.
   */
  run(command: string, options?: RunOptions): Promise<Exit>;

  /**
   * Like `run`, in a temporary layer over the project: everything that the command writes is discarded, so that a build
   * that proves a revision does not change it. Dependencies are the project's.
   */
  prove(command: string, options?: RunOptions): Promise<Exit>;
  /** A proof reports the files it wrote (`written`) itself, because its shell may lack the tools to count them. */
  readonly countsWrites?: true;
  /**
   * Programs in the sandbox can reach the app's own PostgreSQL database at `localhost:5432`, unless its server is
   * unavailable.
   */
  readonly hasPostgres?: true;
  /** False: programs of the project can only send HTTP requests, and so cannot reach a database server. */
  readonly hasSockets?: false;

  /**
   * Opens a temporary copy of the project's current state with a copy of the app's data. It has its own processes, ports
   * and network, and everything written in it is discarded when it is stopped. It can restore the project's checkpoints
   * up to that time. Absent if the driver cannot create one. Rejects with code `too-large` if there is too much data to
   * copy.
   * @param options.empty without the app's data, as for a new app
   * @param options.clean as delivered: without installed packages, build output and state of tools. An install in it is
   * answered as in the project itself.
   */
  copy?(options?: { clean?: boolean; empty?: boolean }): Promise<Workspace>;
  /**
   * Whether the packages in the project's folder are exactly those that an install of its lock file
   * would create. Absent if that cannot be determined.
   */
  isAsLocked?(): Promise<boolean>;
  /**
   * Stored results of proofs, reused while their subject is unchanged. The project keeps the 20 newest. Absent if
   * results are not stored.
   */
  readonly proofs?: {
    get(key: string): string | undefined;
    set(key: string, outcome: string): void;
  };

  /**
   * Starts the project's server in place of the previous one, supervised: restarted with back-off
   * after a crash, at most 3 times. Resolves when it answers a request or has failed to: after 60
   * seconds without progress, and after `timeoutMs` (default 300,000) in any case.
   */
  start(command: string, options?: StartOptions): Promise<ServerState>;
  /**
   * Starts a server in advance, without announcing it, if it reloads changed files by itself: a
   * `start` with the same command then takes it over, unless a file was changed that such a server
   * reads only at its start. Does nothing while a server is running.
   */
  warm(command: string): void;
  /**
   * Puts this port of the running server first: previews show the first one. Does nothing if the
   * server has no such port.
   */
  showPort(port: number): void;
  /** The server's output since its last start, head and tail; empty if there is no server. */
  serverLog(): string;
  /**
   * Parts of the running server that exited and were not restarted while others continue, such as an API beside a page.
   * Known for Node programs and the processes that they started; absent if none is known.
   */
  endedParts?(): Promise<EndedPart[]>;
  /**
   * Whether the files that a development server reads only at its start (its configuration, its
   * packages) are unchanged since then.
   */
  isServerSetUp(): Promise<boolean>;
  /** Stops the project's server and everything it started. */
  stopServer(): Promise<void>;
  readonly server: ServerState | undefined;
  /**
   * The project's code that the server executed since the last call, or since it was started with `countsCode`.
   * @param names parts of paths; scripts with none of them in their path or text are reported without source
   * @returns undefined if no server with `countsCode` is running
   */
  ranCode?(names: string[]): Promise<RanCode | undefined>;

  terminal(size: { columns: number; rows: number }): Promise<Terminal>;

  /**
   * Starts a shell command that is used over stdin and stdout until it exits or is killed. Its output must be read: up
   * to 1 MB waits for a listener.
   * @param options.leavesFiles the command is one of Treadle's own and writes only data, so file changes meanwhile are
   * not attributed to it
   */
  pipe(
    command: string,
    options?: { env?: Record<string, string>; leavesFiles?: boolean },
  ): Promise<Pipe>;

  /**
   * Connects to a port on which a process of this sandbox listens on its loopback. Fails with code
   * `port` otherwise.
   */
  connect(port: number): Promise<Duplex>;

  /**
   * The current usage and the limits of everything that runs in the sandbox; undefined while nothing does, or if it is
   * not measured.
   */
  usage?(): ResourceUsage | undefined;

  /**
   * Hash of the project's current files: 40 lower-case hexadecimal characters; show the first 4 to
   * people.
   */
  revision(): Promise<string>;
  /**
   * Files that only the running app writes (a JSON database, a log, uploads). They are not part of
   * revisions, checkpoints or differences, and restoring a checkpoint leaves them unchanged.
   * Detected by changes while nothing but the server was running, unless the name is that of a
   * source or a source imports the file. A file that the model or the person writes no longer
   * counts.
   */
  dataFiles(): readonly ProjectPath[];
  /**
   * A digest of the app's data: SQLite's files, `.data` and `dataFiles`, and in a copy its
   * PostgreSQL database. It changes with every write, even one that changes nothing. Absent if no
   * guest is available.
   */
  dataDigest?(): Promise<string>;
  /**
   * The part of `dataDigest` for the PostgreSQL database, as `CopiedDatabase.digest`. Absent unless a copy has one of
   * its own.
   */
  databaseDigest?(): Promise<string | undefined>;
  /**
   * Files that were left out of the last requested revision: folders nested too deeply, too many
   * files, unreadable files (`unreadable`), and files so large that a revision only covers their
   * size, time, start and end and no checkpoint stores them (`size`). At most 50.
   */
  leftOut(): readonly LeftOut[];
  /**
   * Files of installed packages that were written by anything other than an install since they were
   * installed: a proof that uses them does not hold for the packages of the lock file. Absent if
   * that cannot be determined.
   */
  changedDependencies?(): Promise<ProjectPath[]>;
  /**
   * Files and folders outside the project's own (build output, the state of tools) that were
   * written while a command, a terminal or a tool server ran: the outermost, 20 at most. No
   * revision contains them, so what is observed with them proves nothing about one. Absent if that
   * cannot be determined.
   */
  madeByCommands?(): Promise<ProjectPath[]>;
  /**
   * Whether a command, a terminal or a tool server has run since a time (milliseconds since 1970),
   * and so may have changed a server's state in memory. Absent if that cannot be determined.
   */
  hasRunSince?(at: number): boolean;
  /**
   * Saves a checkpoint of the current files. Cheap if nothing changed since the last one, which is
   * then returned.
   */
  checkpoint(label: string): Promise<CheckpointRecord>;
  checkpoints(): Promise<CheckpointRecord[]>;
  /**
   * Sets a checkpoint's name (id or revision), or removes it (`undefined`). Named checkpoints are
   * never thinned out.
   */
  nameCheckpoint(checkpoint: string, name: string | undefined): Promise<CheckpointRecord>;
  /**
   * Thins out checkpoints if they exceed their size limit. Of those older than a day it keeps the last of each hour,
   * after a week the last of each day, then fewer days, until the size is within the limit or nothing more may be
   * removed. Removed checkpoints are deleted from the disk.
   */
  thin(options: ThinOptions): Promise<Thinned>;
  /**
   * Copies a checkpoint and all earlier ones to a new project that was never opened: its state
   * folder contains them afterwards, and it can restore them. Nothing is shared with this project.
   * @param stateDirectory of the other project: absolute path on the host; empty or missing
   */
  copyCheckpoints(checkpoint: string, stateDirectory: string): Promise<void>;
  /**
   * Restores the files of a checkpoint (id or revision), and removes files that it does not
   * contain.
   */
  restore(checkpoint: string): Promise<CheckpointRecord>;
  /**
   * Paths that differ between two stored revisions, with unified diffs without headers. `b` absent: the current files.
   * `path`: only this file.
   */
  diff(a: string, b?: string, path?: ProjectPath): Promise<FileDifference[]>;
  /**
   * Hashes of the contents of all files covered by revisions, of the app's data (`dataFiles`), and
   * of all files in folders of build output. Leaves out SQLite's files and `.data` unless they are
   * in build output, and all links.
   */
  fileHashes(): Promise<ReadonlyMap<ProjectPath, string>>;
  /**
   * A file's content at a checkpoint (id or revision), or undefined if it did not exist or is never stored. Rejects with
   * code `too-large` over 16 MB.
   */
  fileAt(checkpoint: string, path: ProjectPath): Promise<KeptFile | undefined>;
  /** The checkpoints in which a file differs from the previous one, oldest first. */
  fileHistory(path: ProjectPath): Promise<FileMoment[]>;

  /**
   * Reports changes, output and server events until the returned function is called. Listeners must
   * not throw.
   */
  listen(listener: (event: WorkspaceNotice) => void): () => void;

  /**
   * Applies the project's settings. Allowed hosts take effect immediately, also for running
   * programs; secrets at the server's next start.
   */
  configure(settings: WorkspaceSettings): void;

  /**
   * Kills every process and prevents new ones, so that only people who work in the folder itself can change the files.
   * Files can still be read until `stop`.
   * @returns false if processes forked faster than they could be killed
   */
  endProcesses(): Promise<boolean>;
  /**
   * Kills every process and removes every mount; reports repositories that are set aside before it resolves. Files,
   * checkpoints and dependencies stay. No other method may be called after the first call. It may be called again: after
   * a rejection that retries what remains, after a success it does nothing.
   */
  stop(): Promise<void>;
}

export interface WorkspaceFiles {
  /**
   * `version` is the content's hash. Fails with code `missing`, `not-a-file`, or `too-large` above
   * `limit` bytes (default 16 MB).
   */
  read(path: ProjectPath, options?: { limit?: number }): Promise<FileContent>;
  /**
   * Writes a file atomically (temporary file, fsync, rename), creating missing folders. `ifVersion`: rejects with code
   * `conflict` and the current version if the content is another; `"absent"` means that the file must not exist.
   * `executable` absent: unchanged, and false for a new file.
   */
  write(
    path: ProjectPath,
    content: string | Uint8Array,
    options?: { ifVersion?: string; executable?: boolean },
  ): Promise<FileWritten>;
  /** Reads a file of any size in pieces of at most 1 MB, on demand. Codes as for `read`. */
  readStream(path: ProjectPath): Promise<FileStream>;
  /** As `write`, for any size, from chunks of any size. If `pieces` throws, nothing is written. */
  writeStream(
    path: ProjectPath,
    pieces: AsyncIterable<Uint8Array> | Iterable<Uint8Array>,
    options?: { ifVersion?: string },
  ): Promise<FileWritten>;
  remove(path: ProjectPath): Promise<void>;
  rename(from: ProjectPath, to: ProjectPath): Promise<void>;
  /**
   * Depth-first, folders before their content, sorted by name; leaves out dependency folders,
   * `.git` and caches.
   */
  list(options?: {
    under?: ProjectPath;
    limit?: number;
    /**
     * Only files that programs outside the sandbox obey (`isProtectedPath`), or only `package.json`
     * files. The limit counts only these, so that other files cannot hide one.
     */
    only?: "obeyed" | "manifests";
  }): Promise<{
    files: ListedFile[];
    more: boolean;
    /** Entries that exceed a limit, or cannot be read; at most 50. */
    leftOut?: readonly LeftOut[];
  }>;
  /** Lines that match by ripgrep's rules, in files that `list` shows. */
  search(query: SearchQuery): Promise<{ matches: SearchMatch[]; more: boolean }>;
}

export interface LeftOut {
  path: ProjectPath;
  why: "depth" | "count" | "size" | "unreadable";
}

export type ListedFile = FileInfo & { path: ProjectPath };

export interface FileContent {
  bytes: Uint8Array;
  version: string;
}

export interface FileWritten {
  version: string;
  size: number;
  created: boolean;
}

export interface FileStream {
  /** In bytes; the sum of all pieces. */
  size: number;
  /**
   * Iterate at most once; leaving the loop closes it. Rejects with `failed` if the file became
   * shorter.
   */
  pieces: AsyncIterable<Uint8Array>;
  /** Call if `pieces` is not iterated after all. */
  close(): Promise<void>;
}

export interface SearchQuery {
  pattern: string;
  regex?: boolean;
  caseSensitive?: boolean;
  under?: ProjectPath;
  glob?: string;
  /** A glob of files to skip. */
  leaveOut?: string;
  /** Maximum number of matches; default 200. */
  limit?: number;
  /** Lines of context before and after each match; default 0, at most 20. */
  around?: number;
}

export interface SearchMatch {
  path: ProjectPath;
  /** Line number, starting at 1. */
  line: number;
  text: string;
  /** A context line, not a match. */
  beside?: true;
}

export interface RunOptions {
  /**
   * Receives output as it arrives: stdout and stderr in the order written, decoded as UTF-8 across
   * chunks.
   */
  onOutput?: (text: string) => void;
  signal?: AbortSignal;
  /**
   * Milliseconds; default 900,000: for commands that would never end. After that, the whole process
   * tree is killed.
   */
  timeoutMs?: number;
  /** Milliseconds without any output or other progress before the command counts as hung; default 120,000. */
  quietMs?: number;
  env?: Record<string, string>;
  adopt?: boolean;
  /** A project script or an install that Treadle runs itself, whose output is derived from the revision. */
  isOwn?: boolean;
}

export interface StartOptions extends RunOptions {
  /**
   * Kills background processes of earlier commands first, so that the server is tested alone and its port is not taken
   * by a process with older files. The person's terminals stay.
   */
  alone?: boolean;
  /**
   * Connections to a Node web server are passed directly to its process. The server keeps listening, and connections
   * that cannot be passed this way arrive there.
   */
  takesDials?: boolean;
  /** Its Node programs count which functions of the project's files run, for `ranCode`. */
  countsCode?: boolean;
}

export type Exit = (
  | { kind: "exited"; code: number; signal?: string; ms: number; output: string; written?: number }
  /** `output` contains head and tail, at most 64 KB, as in every other case. */
  | { kind: "timeout" | "quiet" | "aborted"; ms: number; output: string }
  | { kind: "adopted"; server: ServerState; ms: number; output: string }
) & {
  /** Hosts that were refused to the command, without duplicates, at most 20; its output reports them as well. */
  refused?: string[];
  /** Packages whose installation was refused meanwhile, without duplicates, at most 20. */
  refusedPackages?: string[];
};

/** The code that a server's Node programs ran. */
export interface RanCode {
  /** Whether every program that may have run code of the project was asked, and answered. */
  isWhole: boolean;
  scripts: CountedScript[];
}

export interface Terminal {
  readonly id: string;
  write(data: string): void;
  resize(size: { columns: number; rows: number }): void;
  /** Replays the stored output (at most 256 KB), then continues live until the returned function is called. */
  onData(listener: (data: string) => void): () => void;
  onExit(listener: (code: number) => void): () => void;
  kill(): void;
}

/** A program with piped input and output. */
export interface Pipe {
  /** Writes to its stdin. Input after its end is discarded. */
  write(data: string | Uint8Array): void;
  /** Its stdout as bytes, including earlier output. One listener. */
  onData(listener: (bytes: Uint8Array) => void): void;
  /** Its stderr as text, including Treadle's own lines about refused hosts. One listener. */
  onErrors(listener: (text: string) => void): void;
  /** Resolves when it has exited, by itself or with its sandbox. */
  readonly ended: Promise<{ code: number; signal?: string }>;
  /** Kills it with everything it started. */
  kill(): Promise<void>;
}

export interface CheckpointRecord {
  checkpoint: string;
  revision: string;
  label: string;
  /** Milliseconds since 1970. */
  at: number;
  /** The person's name for it. */
  name?: string;
}

export interface ThinOptions {
  /** Size limit of all checkpoints together on the disk. */
  maxBytes: number;
  /** Checkpoints and revisions to keep besides named ones and the newest. */
  keep: ReadonlySet<string>;
  /** Milliseconds since 1970. */
  now: number;
}

export interface Thinned {
  /** Removed checkpoints. */
  thinned: string[];
  /** Total size on the disk afterwards. */
  bytes: number;
}

/** An inconsistency in the stored data. */
export interface Finding {
  where: string;
  problem: string;
  /** How it was repaired; absent if it was not. */
  mended?: string;
}

export interface FileDifference {
  path: ProjectPath;
  kind: "added" | "changed" | "removed";
  binary: boolean;
  /** Unified hunks without file headers; empty for a binary file. */
  diff: string;
  /** The diff is left out because the total would be too long. */
  cut?: true;
}

/** A file in a checkpoint. */
export interface KeptFile extends FileContent {
  executable: boolean;
  /** The file is a link, and its bytes are the target. */
  link?: true;
}

/** A checkpoint in which a file changed. */
export interface FileMoment {
  checkpoint: string;
  /** The previous checkpoint; absent if there is none. */
  before?: string;
  label: string;
  /** Milliseconds since 1970. */
  at: number;
  kind: "added" | "changed" | "removed";
}

/**
 * In bytes, except for processes (threads counted) and cores. Values that cannot be measured are
 * absent.
 */
export interface ResourceUsage {
  memory?: number;
  processes?: number;
  /** The last measured size. */
  disk?: number;
  limits: Record<"memory" | "processes" | "cpus" | "disk", number>;
}

export type WorkspaceNotice =
  /**
   * Files changed by any program or person, combined into one notice per 50 ms. Readers recognize their own writes by
   * the version.
   */
  | {
      type: "files";
      changes: { path: ProjectPath; kind: "written" | "removed"; size: number; version?: string }[];
    }
  | { type: "server"; server: ServerState }
  | { type: "server-output"; text: string }
  /** The app's own data files: `dataFiles` includes them from now on. */
  | { type: "data-files"; paths: ProjectPath[] }
  | { type: "ports"; ports: number[] }
  | { type: "egress-refused"; host: string; reason: RefusalReason }
  /** `OpenOptions.mayInstall` refused a package. */
  | { type: "package-refused"; name: string }
  /**
   * Git repositories that were made in the sandbox were renamed, so that git on the host ignores them: their new paths,
   * at most 20 while the sandbox runs.
   */
  | { type: "repositories-set-aside"; paths: string[] }
  /** Commands wait for the person's browser tab (`open: false`), or continue. Only for projects that run in a tab. */
  | { type: "tab"; open: boolean }
  /** The sandbox exceeded a limit but continues without the excess. Exceeding the disk limit is reported as `lost`. */
  | { type: "limit"; limit: "memory" | "processes"; words: string }
  /** The sandbox ended unexpectedly; the next call opens a new one. */
  | { type: "lost"; reason: string };

export const WORKSPACE_ERROR_CODES = [
  "path",
  "missing",
  "exists",
  "not-a-file",
  "not-a-folder",
  "conflict",
  "too-large",
  "no-space",
  "read-only",
  "port",
  "stopped",
  "sandbox",
  /** The maximum number of projects is running. */
  "full",
  "failed",
] as const;
export type WorkspaceErrorCode = (typeof WORKSPACE_ERROR_CODES)[number];

/** The error of a workspace's operations. */
export class WorkspaceError extends Error {
  readonly code: WorkspaceErrorCode;
  /** The current version, for `conflict`. */
  readonly version: string | undefined;
  /**
   * What went wrong, for people. Text without a code of its own, such as that of a program, is introduced by a sentence
   * about `code`.
   */
  readonly sentence: Sentence;
  constructor(code: WorkspaceErrorCode, detail: Sentence, version?: string) {
    super(detail.text);
    this.name = "WorkspaceError";
    this.code = code;
    this.version = version;
    this.sentence = detail.coded ? detail : sentence(`workspace-${code}`, { detail: detail.text });
  }
}

/** Opens workspaces. One per server. */
export interface WorkspaceDriver {
  readonly name: string;
  /** What this machine supports, for `treadle doctor` and the health route. Never throws. */
  probe(): Promise<MachineReport>;
  open(options: OpenOptions): Promise<Workspace>;
  /**
   * Prepares the dependencies of the templates in the background, so that their first project does
   * not wait.
   */
  prepareTemplates(onProgress?: (text: string) => void): Promise<void>;
  /** A PostgreSQL server of Treadle's own; the caller closes it. Absent: this driver cannot run one. */
  servePostgres?(options: PostgresOptions): OwnPostgres;
  /**
   * Finds the programs of a PostgreSQL major version: this machine's, else npm's, which are
   * downloaded once into the cache.
   * @throws WorkspaceError `failed` if there are none
   */
  postgresPrograms?(major: number): Promise<Programs>;
  /** Stops every workspace it opened. */
  close(): Promise<void>;
}

export interface MachineReport {
  ok: boolean;
  /** One check per line: its name, whether it passed, and the command that fixes it. */
  checks: { name: string; ok: boolean; detail: string; mend?: string }[];
}

export interface OpenOptions {
  project: string;
  /** Absolute path on the host of the project's files; created if missing. */
  directory: string;
  /** Absolute folder on the host for this project's checkpoints, dependency layers and sockets. */
  stateDirectory: string;
  /**
   * The person works in `directory` itself (`--dir`): `stop` returns it to them, with its
   * dependencies.
   */
  handBack?: boolean;
  /**
   * The key of the digests that represent `.env` files in revisions, 32 bytes in hexadecimal. It is stored when the
   * state folder is created; an existing folder keeps its key. Absent: a random one.
   */
  secretKey?: string | undefined;
  /** Default: only the registry, and no secrets. */
  settings?: WorkspaceSettings;
  /**
   * Runs in the browser tab of the person who has it open, instead of in a sandbox of this machine.
   */
  runsIn?: "tab";
  /** A published app, which has limits of its own. */
  isPublished?: boolean;
  /**
   * Decides which packages the project may install from the registry. It answers false to a request without a name if
   * it refuses anything at all. Absent: all.
   */
  mayInstall?: MayInstall | undefined;
  /**
   * What the project may take of the disk beside `limits`, which depends on other projects. Read before each
   * measurement. Undefined if nothing else limits it.
   */
  diskAllowance?: (() => Promise<DiskAllowance | undefined>) | undefined;
  /** Lower limits that the app sets itself: bytes, processes, cores. */
  limits?: Partial<Record<"memory" | "processes" | "cpus" | "openFiles" | "disk", number>>;
  /** Accepts connections from the sandbox to the app's PostgreSQL database. Absent: it has none. */
  database?: (connection: Duplex) => void;
  /**
   * Creates a database for a copy of the project, with the content of its own, or empty. Absent:
   * copies use `database` itself.
   */
  databaseOfCopy?: (how: { empty: boolean }) => Promise<CopiedDatabase>;
}

/** What others leave a project of the disk. */
export interface DiskAllowance {
  /** In bytes. */
  bytes: number;
  /** Why nothing may be written once the project takes more. */
  why: Sentence;
}

/** The PostgreSQL database of one copy of a project. */
export interface CopiedDatabase {
  /** Accepts connections from inside the copy. */
  take(connection: Duplex): void;
  /**
   * A text that changes whenever rows were written, or undefined while there is no database. Rejects if it cannot be
   * determined.
   */
  digest(): Promise<string | undefined>;
  /** Closes all connections and removes the database. */
  drop(): Promise<void>;
}

export type { RefusalReason, WorkspaceSettings };
