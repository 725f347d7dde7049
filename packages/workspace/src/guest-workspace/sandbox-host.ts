/**
 * The part of a workspace that each driver implements: where the sandbox runs, and what only that
 * place can do. Everything else is done by the guest and is the same for every driver.
 */
import type { Sentence } from "@treadle/protocol/sentences";
import type { RunGit } from "../checkpoints/git-store.ts";
import type { MayInstall, Reachable, Refusal } from "@treadle/egress";
import type { OpenRoot } from "../repositories/guard-repositories.ts";
import type { LimitHit } from "../limits/limit-words.ts";
import type { ProjectPath } from "@treadle/protocol";
import type {
  Exit,
  OpenOptions,
  ResourceUsage,
  RunOptions,
  Workspace,
  WorkspaceSettings,
} from "../types.ts";
import type { InstallAnswer, InstallAsk } from "../wire/install.ts";
import type { GuestMessage } from "../wire/messages.ts";
import type { RunningCommand } from "./commands.ts";
import type { GuestLink } from "./guest-link.ts";

/** A guest, and the list of hosts that can be reached from it. */
export interface Sandbox extends GuestLink {
  allow(reachable: Reachable): void;
  /** Called when a program in the sandbox has just exited: calls `onLimit` now if it exceeded a limit. */
  lookAtLimits?(): void;
  /** Returns a message explaining why nothing may be written; undefined while there is space. */
  full?(): Sentence | undefined;
  /** The sandbox's current use of resources, and its limits. */
  usage?(): ResourceUsage;
}

export interface SandboxEvents {
  /** Hosts that programs in the sandbox may reach besides the registry. */
  reachable: Reachable;
  onMessage(message: GuestMessage, body: Uint8Array): void;
  onRefused(refusal: Refusal): void;
  /** Decides which packages may be installed. Absent: all. */
  mayInstall?: MayInstall | undefined;
  /** Called when programs in the sandbox have exceeded a limit. */
  onLimit(hit: LimitHit): void;
  /** Called when the project comes near its disk limit. */
  onNear(hit: LimitHit): void;
  /** What others leave the project of the disk. Absent: everything. */
  diskAllowance?: OpenOptions["diskAllowance"];
}

/** The network of a proof: that of the project without the registry. Refused hosts are reported. */
export type ProofOut = Pick<SandboxEvents, "reachable" | "onRefused">;

/** How to start a command in the sandbox. */
export interface InsideOptions {
  env?: Record<string, string> | undefined;
  /** Keeps the command's input open; otherwise the command has none. */
  openInput?: boolean;
  takesDials?: boolean | undefined;
  countsCode?: boolean | undefined;
}

/** Starts a shell command in the sandbox, in the project's folder. */
export type StartInside = (command: string, options?: InsideOptions) => Promise<RunningCommand>;

/** Callbacks to a package manager that was called in the sandbox. */
export interface InstallCall {
  /** The calling program prints the text immediately. */
  write(text: string): void;
  /** Aborted when the calling program has exited. */
  signal: AbortSignal;
  inside: StartInside;
}

export interface SandboxHost<Started extends Sandbox = Sandbox> {
  /** The sandbox is temporary: nothing needs to be recorded when it ends. */
  isThrownAway?: boolean;
  /**
   * Starts the project's sandbox, with its earlier dependencies in place. Called again after it was
   * lost.
   */
  start(events: SandboxEvents): Promise<Started>;
  /**
   * Handles a package manager that was called in the sandbox, if the host has its packages.
   * @returns what remains to be done by the caller; if it rejects, the package manager does everything
   */
  install(sandbox: Started, asked: InstallAsk, call: InstallCall): Promise<InstallAnswer>;
  /** `Workspace.prove`. `inside` starts a command in the project's own sandbox. */
  prove(command: string, options: RunOptions, inside: StartInside, out: ProofOut): Promise<Exit>;
  /**
   * `Workspace.copy`; absent if copies are not possible.
   * @param data data files of the app beyond those recognized by name
   * @param options.fetchesAnew a clean copy has none of the project's downloads
   */
  copy?(
    settings: WorkspaceSettings,
    data: readonly ProjectPath[],
    options: { clean: boolean; empty: boolean; fetchesAnew: boolean },
  ): Promise<Workspace>;
  /** `Workspace.isAsLocked`, without checking for changed package files. */
  isAsLocked?(sandbox: Started): Promise<boolean>;
  /** The root of the running sandbox if a repository that is created there is not stored elsewhere yet. */
  openRoot(): OpenRoot | undefined;
  /** Mounts the folder for the project's repository at its root; absent if that needs another sandbox. */
  coverRoot?(sandbox: Started): Promise<void>;
  /**
   * Runs git in a short-lived sandbox without network: project read-only in the working directory, `GIT_DIR` the store.
   */
  git: RunGit;
  /** Where `GIT_DIR` is on this machine. */
  gitDirectory: string;
  /**
   * Called when the last sandbox is gone and nothing is pending; called again after a failure, not after a success.
   * @returns repositories that were created in the sandbox and renamed
   */
  close(): Promise<string[]>;
}
