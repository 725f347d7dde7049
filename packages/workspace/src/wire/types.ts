/** What host and guest say to each other. One control connection for all of this; one connection each for byte streams. */
import type { ManagerName } from "../package-managers/managers.ts";
import type { RefusalReason, WorkspaceErrorCode } from "../types.ts";

/** Host → guest. `id` is answered by exactly one reply of the same id. */
export interface GuestRequest {
  id: number;
  method: string;
  params: Record<string, unknown>;
}

/** Guest → host. */
export type GuestMessage =
  | { kind: "reply"; id: number; ok: true; result: unknown }
  | {
      kind: "reply";
      id: number;
      ok: false;
      code: WorkspaceErrorCode;
      message: string;
      version?: string;
    }
  | { kind: "ready"; pid: number }
  | { kind: "output"; process: string }
  /** What a program said that is spoken to over stdin. Its end is an `exit`. */
  | { kind: "piped"; process: string; from: "out" | "err" }
  | { kind: "exit"; process: string; code: number; signal?: string }
  | { kind: "ports"; ports: ListeningPort[] }
  | { kind: "files"; changes: GuestFileChange[] }
  | { kind: "terminal-data"; terminal: string }
  | { kind: "terminal-exit"; terminal: string; code: number }
  /** What runs inside was refused more of it; only said where `GuestConfig.controlGroups` is given. */
  | { kind: "limit"; limit: "memory" | "processes" }
  /** A host was refused to a program of this command or terminal, where that can be told. */
  | { kind: "refused"; host: string; reason: RefusalReason; owner?: string }
  /**
   * A package manager was typed inside: the host may know a faster way. Answered by any number of `install-say` and one
   * `install-answer`.
   */
  | { kind: "install"; ask: number; asked: InstallAsk }
  /** There may be a repository that was not there before. */
  | { kind: "repository"; atRoot: boolean }
  /** Who asked is gone; no answer is wanted any more. */
  | { kind: "install-gone"; ask: number };

/** What was typed. Generated code can say it as well, and anything else in its place. */
export interface InstallAsk {
  manager: ManagerName;
  /** The words as they were typed. */
  args: string[];
  /** Folder of the package.json that it is about, as the sandbox sees it; the guest makes it relative to the project. */
  folder: string;
  /** Nothing is to be installed: this version of the manager itself is wanted (empty: the usual one). */
  tool?: string;
}

/** `run`: the package manager itself has to do it, with these words. */
export type InstallAnswer =
  | { act: "done"; code: number }
  | { act: "run"; manager: ManagerName; args: string[] };

/** Name of the proxy's socket among the ways out. */
export const PROXY_SOCKET = "proxy.sock";

export interface ListeningPort {
  port: number;
  /** The spawned process (its id here) that it belongs to; absent for a terminal's. */
  process?: string;
}

export interface GuestFileChange {
  path: string;
  kind: "written" | "removed";
  size: number;
  version?: string;
}

/** One entry of a revision. `hash` is git's blob id, or for `.env*` a keyed digest that tells nothing of the content. */
export interface ManifestEntry {
  path: string;
  mode: "100644" | "100755" | "120000";
  hash: string;
  secret?: true;
}

/** Given to the guest as its one argument, JSON. */
export interface GuestConfig {
  /** The project's folder as the guest sees it. */
  root: string;
  /** Folder of the host's sockets: `guest.sock`, `stream.sock`, and those of `ways`. */
  sockets: string;
  /** Sockets of the host that are offered at loopback ports inside; none without a sandbox. */
  ways: { socket: string; port: number }[];
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
}
