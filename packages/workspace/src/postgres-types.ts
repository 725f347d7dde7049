/** The programs of a PostgreSQL server. */
export interface Programs {
  /** Absolute folder of `postgres` and `initdb`, on the host. */
  bin: string;
  major: number;
  /** As `postgres --version` says it: `17.10`. */
  version: string;
  from: "setting" | "system" | "npm";
}

export interface PostgresOptions {
  /** Absolute path of the data folder, created if missing. It contains only PostgreSQL's files. */
  directory: string;
  /** Major version to make data with; data that are there keep theirs. Default: the machine's own, else npm's. */
  major?: number;
  /** Milliseconds without a lease after which the server is stopped; default: a minute. */
  idleMs?: number;
}

/** A PostgreSQL server that Treadle itself runs, in a sandbox without a network. */
export interface OwnPostgres {
  /** Address of its superuser, by a socket that only this process's user can reach. It answers while a lease is held. */
  readonly url: string;
  /** Bytes that one project's databases may take together; the caller sees to it. */
  readonly diskBytes: number;
  /** Whether there are data: without, nothing was ever written. */
  hasData(): boolean;
  /**
   * Starts the server if it does not run, and keeps it up until the returned function is called.
   * @throws WorkspaceError `failed` with a sentence for people: no programs, data of another version, no room
   */
  lease(): Promise<() => void>;
  /** Which programs would serve, without starting or fetching anything. Never rejects. */
  describe(): Promise<PostgresReport>;
  /** Stops it cleanly even if leases are held. It cannot be started afterwards. */
  close(): Promise<void>;
}

export type PostgresReport =
  | ({ ok: true } & Programs)
  /** The major version that is fetched when it is first needed. */
  | { ok: true; fetch: number }
  | { ok: false; problem: string };
