/**
 * What a driver gives so that a workspace can be made of it: where the sandbox runs and what only that place can do.
 * Everything else about a workspace is the guest's doing and the same for every driver.
 */
import type { Refusal } from "../egress/connect-proxy.ts";
import type { Exit, RunOptions } from "../types.ts";
import type { GuestMessage } from "../wire/types.ts";
import type { RunningCommand } from "./commands.ts";
import type { GuestLink } from "./guest-link.ts";

/** A guest, and the list of what may be reached from where it is. */
export interface Sandbox extends GuestLink {
  allow(hosts: readonly string[]): void;
}

export interface SandboxEvents {
  /** Every host that what runs inside may reach besides the registry. */
  hosts: readonly string[];
  onMessage(message: GuestMessage, body: Uint8Array): void;
  onRefused(refusal: Refusal): void;
}

/** Starts a shell command inside, in the project's folder. */
export type StartInside = (
  command: string,
  env?: Record<string, string>,
) => Promise<RunningCommand>;

/** A script of git commands over the checkpoint store. Never rejects for what git says. */
export type RunGit = (
  script: string,
  input: string | Uint8Array,
) => Promise<{ code: number; output: Buffer; complaint: string }>;

export interface SandboxHost<Started extends Sandbox = Sandbox> {
  /** Starts the project's sandbox, its dependencies in place as they were. Called again after it was lost. */
  start(events: SandboxEvents): Promise<Started>;
  /**
   * `npm install` was typed inside.
   * @returns what npm would have printed where the dependencies were put in place another way; else an empty text
   */
  install(sandbox: Started, inside: StartInside): Promise<string>;
  /** `Workspace.prove`. `inside` starts a command in the project's own sandbox. */
  prove(command: string, options: RunOptions, inside: StartInside): Promise<Exit>;
  /** In a short-lived sandbox without network: project read-only in the working directory, `GIT_DIR` the store. */
  git: RunGit;
  /** Where `GIT_DIR` is on this machine. */
  gitDirectory: string;
  /** Called once, when the last sandbox is gone and nothing is under way. */
  close(): Promise<void>;
}
