/** Passed to the guest as its only argument, as JSON. */
export interface GuestConfig {
  /** `WIRE_VERSION` of the server. */
  version: number;
  /** The project's folder as seen by the guest. */
  root: string;
  /** Folder of the host's sockets: `guest.sock`, `stream.sock`, and those of `ways`. */
  sockets: string;
  /**
   * Sockets of the host that are offered at loopback ports in the sandbox; none without a sandbox. An optional one is
   * left out if its port is taken.
   */
  ways: { socket: string; port: number; isOptional?: true }[];
  /** Content of the user's `.npmrc` in the sandbox; if empty, none is written. */
  npmrc: string;
  /**
   * A certificate that Node programs should trust, and the path where they look for it; absent if
   * it already exists.
   */
  trusted?: { path: string; text: string };
  /** Folder of Node's headers as seen by the guest; absent if there are none. */
  headers?: string;
  /** Path of the ripgrep program as seen by the guest. */
  ripgrep: string;
  /** Environment of everything that runs in the sandbox. */
  env: Record<string, string>;
  /**
   * Folder in which the guest reads what its sandbox was refused; absent if the host can see that
   * itself.
   */
  controlGroups?: string;
  /** Key of the digests of `.env*` files, hex. */
  secretKey: string;
  /** Inodes of the person's own repositories; absent if repositories made in the sandbox are left alone. */
  keptRepositories?: number[];
  /**
   * The project, read-only, if this sandbox is a copy of it; absent if it works on the project or
   * on a layer.
   */
  original?: string;
}
