/** What an engine of containers offers, and what Treadle asks of it: the same for Docker and Kubernetes. */
import type { Duplex } from "node:stream";
import type { LimitHit } from "../limits/limit-words.ts";
import type { ResourceLimits } from "../limits/limits.ts";
import type { GuestConfig } from "../wire/config.ts";

/** A file or folder of the host in a container. */
export interface ContainerBind {
  source: string;
  target: string;
  writable?: boolean;
}

/** A user and group of a container, as numbers. */
export interface ContainerUser {
  uid: number;
  gid: number;
}

export interface ContainerSettings {
  /** The project, or the copy of one, that the container belongs to. */
  project: string;
  /** `store` runs git over checkpoints; `once` runs one command, such as a proof. */
  task: "sandbox" | "store" | "once";
  user: ContainerUser;
  binds: readonly ContainerBind[];
  /** Temporary folders, discarded with the container. */
  scratch?: readonly string[];
  /** The working directory. */
  directory: string;
  env?: Record<string, string>;
  /** A shell command that fills `directory` before the guest or the command starts. */
  fill?: string | undefined;
  limits: ResourceLimits;
  /** What git sees of the project, for an engine that runs it beside the sandbox; absent: nothing. */
  store?: readonly ContainerBind[] | undefined;
}

/** A container that runs a guest, whose standard input and output this process holds. */
export interface GuestContainer {
  /** Carries the guest's link. */
  readonly carrier: Duplex;
  /** Resolves when the connection to the container has closed. */
  readonly closed: Promise<void>;
  /** Pids, on this machine, of everything in the container; empty if they are not visible. */
  pids(): number[];
  /** The limit that ended the container, if the engine knows of one. Call once it has closed. */
  findLimit?(): Promise<LimitHit | undefined>;
  /** Closes the connection. */
  disconnect(): void;
  /** Kills it. Resolves when the container and everything in it are gone. */
  remove(): Promise<void>;
}

/** A container that runs one command. */
export interface CommandContainer {
  pids(): number[];
  /** Kills it. */
  remove(): void;
}

export interface RunOnceOptions {
  input?: string | Uint8Array;
  onOutput(bytes: Buffer): void;
  onStderr(bytes: Buffer): void;
  onStarted?(container: CommandContainer): void;
}

export interface ContainerEngine {
  /**
   * Starts a container with a guest. Rejects with WorkspaceError `sandbox` if it could not be started.
   * @param onStderr receives error output of the container or the engine
   */
  startGuest(
    settings: ContainerSettings,
    guest: GuestConfig,
    onStderr: (bytes: Buffer) => void,
  ): Promise<GuestContainer>;
  /**
   * Runs one command in a container until it exits, at the latest when this process does, and resolves with its exit
   * code. Rejects with WorkspaceError `sandbox` if it could not be started.
   */
  runOnce(
    settings: ContainerSettings & { command: readonly string[] },
    options: RunOnceOptions,
  ): Promise<number>;
}

/** What the containers of one project have in common. */
export type ProjectContainer = Pick<ContainerSettings, "project" | "user" | "limits">;
