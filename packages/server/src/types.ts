/** The server as its hosts (the command line, tests) use it. */
import type { ApprovalMode, LogEntry, RunMode, Verdict } from "@treadle/protocol";

export interface TreadleOptions {
  /** Where everything is kept; made if missing, readable by its owner alone. */
  dataDirectory: string;
  /**
   * Where prepared dependencies and the browser are kept and the page's model settings are read from, when several
   * servers share them (`treadle run` beside a running server); default `dataDirectory`.
   */
  sharedDirectory?: string;
  /** Folder of the built page; absent: no page is served. */
  webDirectory?: string;
  /** Run generated code without a sandbox. The page says so all the time. */
  unsafeNoSandbox?: boolean;
  env: Record<string, string | undefined>;
  onNotice?: (text: string) => void;
}

export interface Treadle {
  /** `Request` in, `Response` out: what the tests call without a socket. */
  fetch(request: Request): Promise<Response>;
  /**
   * Listens, with WebSockets and the preview gateway. Port 0 takes a free one.
   * @throws ListenError with code `in-use`, `not-allowed`, `not-loopback` or `failed`, and a sentence for people.
   */
  listen(options: { host: string; port: number }): Promise<{ port: number; url: string }>;
  /** What opens the page signed in: goes into the address once, and is exchanged for a cookie. */
  readonly token: string;
  /** Words that do the same once, within a minute: for an address that other programs get to see. */
  ticket(): string;
  readonly projects: ProjectService;
  readonly settings: {
    /** Puts a host on the project's list. Rejects with a sentence for people where it is none that can be allowed. */
    allowHost(project: string, host: string): Promise<unknown>;
  };
  /** For an error that nobody waited for: told, and the project that it happened in ended. The server goes on. */
  readonly lastResort: (error: unknown) => void;
  /** Stops runs, workspaces, the browser and the store, in that order. Safe to call twice. */
  close(): Promise<void>;
}

export interface ProjectService {
  create(options: {
    name?: string;
    model?: string;
    dialect?: "native" | "artifact" | "tags";
    directory?: string;
    demo?: string;
  }): Promise<{ id: string }>;
  /** The project of a folder of the person's own: the one from last time, else a new one. */
  open(options: {
    directory: string;
    model?: string;
    /** Of turns that only plan; absent: `model`. */
    planModel?: string;
    dialect?: "native" | "artifact" | "tags";
  }): Promise<{ id: string }>;
  /** Number of the newest log entry; 0 when there is none. */
  head(project: string): Promise<number>;
  /** Queues the message; resolves when it is durable. The run's events are in the log. */
  send(
    project: string,
    message: {
      text: string;
      model?: string;
      mode?: RunMode;
      /** In place of the project's own, for this run alone. */
      approve?: ApprovalMode;
      limits?: { steps?: number; costUsd?: number; ms?: number };
    },
  ): Promise<{ message: string; run: string }>;
  /** What is known of the files as they stand, and why; undefined where no look has come to a verdict yet. */
  standing(project: string): Promise<{ verdict: Verdict; reason: string } | undefined>;
  stop(project: string): Promise<void>;
  follow(project: string, after: number, listener: (entries: LogEntry[]) => void): () => void;
  /** Agrees to files that are obeyed outside the sandbox, rules and skills among them, as they stand. */
  acceptChanged(project: string): Promise<void>;
  /** Stops its workspace; a folder of the person's own is handed back. */
  release(project: string): Promise<void>;
  remove(project: string): Promise<void>;
}

export type { Verdict };

export type ListenErrorCode = "in-use" | "not-allowed" | "not-loopback" | "failed";

export class ListenError extends Error {
  readonly code: ListenErrorCode;
  constructor(code: ListenErrorCode, message: string) {
    super(message);
    this.name = "ListenError";
    this.code = code;
  }
}
