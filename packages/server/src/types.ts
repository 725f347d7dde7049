/** The server as its hosts (the command line, tests) use it. */
import type { Verdict } from "@treadle/protocol";
import type { Comparisons, ParallelRequests } from "@treadle/attempts";
import type { DataDirectoryOptions } from "@treadle/app-database";
import type { Publications } from "@treadle/publish";
import type { LoggedRequest } from "./api/watch-requests.ts";
import type { ProjectService } from "./projects/types.ts";

export interface TreadleOptions {
  /** The data folder. Created if missing, readable by its owner alone. */
  dataDirectory: string;
  /**
   * The data folder that provides prepared dependencies, the browser and the page's model settings if several servers
   * share them (`treadle run` beside a running server). Defaults to `dataDirectory`.
   */
  sharedDirectory?: string;
  /** Address of the PostgreSQL database that holds the projects; absent or empty: SQLite, in the data folder. */
  database?: string | undefined;
  /** Folder of the built page; absent to serve none. */
  webDirectory?: string;
  /** Whether to run generated code without a sandbox, about which the page warns permanently. */
  unsafeNoSandbox?: boolean;
  env: Record<string, string | undefined>;
  onNotice?: (text: string) => void;
  /** Called for each request to the workbench and its API that was answered. */
  onRequest?: ((request: LoggedRequest) => void) | undefined;
}

export interface Treadle {
  /** A fetch handler, which tests call without a socket. */
  fetch(request: Request): Promise<Response>;
  /**
   * Listens, with WebSockets and the preview gateway. Port 0 takes a free one.
   * @throws ListenError with code `in-use`, `not-allowed`, `not-loopback` or `failed`, and a sentence for people.
   */
  listen(options: { host: string; port: number }): Promise<{ port: number; url: string }>;
  /** The token that signs the page in. It is put in the address once and exchanged for a cookie. */
  readonly token: string;
  /**
   * Creates a credential that replaces the token once, within a minute, for addresses that other
   * programs can see.
   */
  ticket(): string;
  /**
   * Creates the address by which the server's owner signs in once, within an hour; undefined on a
   * server without accounts.
   */
  readonly ownerLink: (() => Promise<string>) | undefined;
  /** Whether the owner is signed in in any browser; false on a server without accounts. */
  isOwnerSignedIn(): Promise<boolean>;
  readonly projects: ProjectService;
  /** Comparisons: one request, several attempts side by side. */
  readonly comparisons: Comparisons;
  /** Requests that run in parallel to a project's own work. */
  readonly parallel: ParallelRequests;
  /** Published projects. */
  readonly publications: Pick<Publications, "get" | "publish" | "rollBack" | "remove">;
  readonly settings: {
    /**
     * Adds a host to the project's list. Rejects with a sentence for people if it cannot be
     * allowed.
     */
    allowHost(project: string, host: string): Promise<unknown>;
  };
  /**
   * Writes a PostgreSQL data directory with the data of the project's preview, for use by another
   * server.
   */
  exportDataDirectory(
    project: string,
    folder: string,
    options?: DataDirectoryOptions,
  ): Promise<void>;
  /** Handles an unhandled rejection: reports it and stops the project in which it happened. The server continues. */
  readonly lastResort: (error: unknown) => void;
  /** Stops runs, workspaces, the browser and the store, in that order. Safe to call twice. */
  close(): Promise<void>;
}

export type { DataDirectoryOptions, ProjectService, Verdict };
export type { FileDifference } from "@treadle/workspace";
