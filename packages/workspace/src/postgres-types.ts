/** The programs of a PostgreSQL server. */
export interface Programs {
  /** Absolute path on the host of the folder with `postgres` and `initdb`. */
  bin: string;
  major: number;
  /** As printed by `postgres --version`: `17.10`. */
  version: string;
  from: "setting" | "system" | "npm";
}

export interface PostgresOptions {
  /** Absolute path of the data folder, created if missing. It contains only PostgreSQL's files. */
  directory: string;
  /**
   * Major version for new data; existing data keep theirs. Default: the machine's own, else npm's.
   */
  major?: number;
  /** Milliseconds without a lease after which the server is stopped; default: a minute. */
  idleMs?: number;
}

/** A PostgreSQL server run by Treadle itself, in a sandbox without a network. */
export interface OwnPostgres {
  /**
   * Address for its superuser, through a socket that only this process's user can reach. It answers
   * while a lease is held.
   */
  readonly url: string;
  /** Size limit of one project's databases together, in bytes; enforced by the caller. */
  readonly diskBytes: number;
  /** Whether there are data; false if nothing was ever written. */
  hasData(): boolean;
  /**
   * Starts the server if necessary, and keeps it up until the returned function is called.
   * @throws WorkspaceError `failed` with a message for people: no programs, data of another
   * version, no space
   */
  lease(): Promise<() => void>;
  /** The programs that would be used, without starting or downloading anything. Never rejects. */
  describe(): Promise<PostgresReport>;
  /** Stops it cleanly even if leases are held. It cannot be started afterwards. */
  close(): Promise<void>;
}

export type PostgresReport =
  | ({ ok: true } & Programs)
  /** The major version that is downloaded when first needed. */
  | { ok: true; fetch: number }
  | { ok: false; problem: string };
