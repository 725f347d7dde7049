/**
 * What a driver gives so that a workspace can be made of it: where the sandbox runs and what only that place can do.
 * Everything else about a workspace is the guest's doing and the same for every driver.
 */
import type { RunGit } from "../checkpoints/git-store.ts";
import type { Reachable, Refusal } from "@treadle/egress";
import type { OpenRoot } from "../repositories/guard-repositories.ts";
import type { LimitHit } from "../limits/limit-words.ts";
import type { ProjectPath } from "@treadle/protocol";
import type { Exit, ResourceUsage, RunOptions, Workspace, WorkspaceSettings } from "../types.ts";
import type { InstallAnswer, InstallAsk } from "../wire/install.ts";
import type { GuestMessage } from "../wire/messages.ts";
import type { RunningCommand } from "./commands.ts";
import type { GuestLink } from "./guest-link.ts";

/** A guest, and the list of what may be reached from where it is. */
export interface Sandbox extends GuestLink {
  allow(reachable: Reachable): void;
  /** Something inside just ended: `onLimit` is called now if that was for want of something. */
  lookAtLimits?(): void;
  /** Why nothing may be written, a sentence; undefined while there is room. */
  full?(): string | undefined;
  /** Its current use and its limit. */
  usage?(): ResourceUsage;
}

export interface SandboxEvents {
  /** What runs inside may reach it besides the registry. */
  reachable: Reachable;
  onMessage(message: GuestMessage, body: Uint8Array): void;
  onRefused(refusal: Refusal): void;
  /** What runs inside needed more than it may have. */
  onLimit(hit: LimitHit): void;
}

/** The network of a proof: that of the project without the registry. Refused hosts are reported. */
export type ProofOut = Pick<SandboxEvents, "reachable" | "onRefused">;

/** How a command inside is started. */
export interface InsideOptions {
  env?: Record<string, string> | undefined;
  /** Its input never ends; else there is none. */
  openInput?: boolean;
  takesDials?: boolean | undefined;
  countsCode?: boolean | undefined;
}

/** Starts a shell command inside, in the project's folder. */
export type StartInside = (command: string, options?: InsideOptions) => Promise<RunningCommand>;

/** The other end of a package manager that was typed inside. */
export interface InstallCall {
  /** Printed immediately by the program that asked. */
  write(text: string): void;
  /** The program that asked has exited. */
  signal: AbortSignal;
  inside: StartInside;
}

export interface SandboxHost<Started extends Sandbox = Sandbox> {
  /** Nothing of it stays: what is known of it at its end is of no use. */
  isThrownAway?: boolean;
  /** Starts the project's sandbox, its dependencies in place as they were. Called again after it was lost. */
  start(events: SandboxEvents): Promise<Started>;
  /**
   * A package manager was called inside, and the host may have its packages.
   * @returns what remains to be done by the caller; after a rejection the package manager does everything
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
  /** `Workspace.isAsLocked`, but for changes of files in packages. */
  isAsLocked?(sandbox: Started): Promise<boolean>;
  /** The root of the running sandbox if a repository that is created there is not stored elsewhere yet. */
  openRoot(): OpenRoot | undefined;
  /** Mounts the folder for the project's repository at its root; absent if that needs another sandbox. */
  coverRoot?(sandbox: Started): Promise<void>;
  /** In a short-lived sandbox without network: project read-only in the working directory, `GIT_DIR` the store. */
  git: RunGit;
  /** Where `GIT_DIR` is on this machine. */
  gitDirectory: string;
  /**
   * Called when the last sandbox is gone and nothing is under way; again after it failed, and not after a success.
   * @returns repositories that were made inside and set aside
   */
  close(): Promise<string[]>;
}
