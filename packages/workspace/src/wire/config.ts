/** Given to the guest as its one argument, JSON. */
export interface GuestConfig {
  /** `WIRE_VERSION` of who starts it. */
  version: number;
  /** The project's folder as the guest sees it. */
  root: string;
  /** Folder of the host's sockets: `guest.sock`, `stream.sock`, and those of `ways`. */
  sockets: string;
  /**
   * Sockets of the host that are offered at loopback ports inside; none without a sandbox. An
   * optional one is left out if its port is taken.
   */
  ways: { socket: string; port: number; isOptional?: true }[];
  /** Text of the user's `.npmrc` inside; empty: none is written. */
  npmrc: string;
  /** A certificate that programs of Node are to trust, and where they look for it; absent: it is there already. */
  trusted?: { path: string; text: string };
  /** Folder of Node's headers as the guest sees it; absent where there are none. */
  headers?: string;
  /** Path of the ripgrep program as the guest sees it. */
  ripgrep: string;
  /** Environment of everything that runs inside. */
  env: Record<string, string>;
  /** Where the guest looks what its sandbox was refused; absent where the host can see that itself. */
  controlGroups?: string;
  /** Key of the digests of `.env*` files, hex. */
  secretKey: string;
  /** Inodes of the person's own repositories; absent where those that are made inside are left alone. */
  keptRepositories?: number[];
  /** The project, read-only, of which this sandbox holds a copy; absent in one that works on the project or on a layer. */
  original?: string;
}
