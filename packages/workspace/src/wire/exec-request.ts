import type { GuestConfig } from "./config.ts";

/** An address that must not be reachable from a sandbox, and at which something surely listens. */
export interface ShutAddress {
  host: string;
  port: number;
}

/**
 * The first line of the input of a program that is executed in a pod, as JSON: arguments and environment would be in the
 * API server's audit log.
 */
export interface ExecRequest {
  /** FIFO of the container's first process, which ends when this program does; absent beside another program. */
  hold?: string | undefined;
  /** Addresses that must be out of reach before anything else happens; absent if another program has tested the pod. */
  shut?: readonly ShutAddress[] | undefined;
  /** Time limit for them to become so, in milliseconds: a network policy takes effect after the pod has started. */
  shutMs: number;
  /** The working directory. */
  directory: string;
  /** A shell command that fills `directory` first. */
  fill?: string | undefined;
  run:
    | { kind: "guest"; guest: GuestConfig }
    /** @property input number of bytes after this line that the command receives as its input */
    | {
        kind: "command";
        command: readonly string[];
        env?: Record<string, string> | undefined;
        input: number;
      };
}

/** The first line of the program's output, as JSON. */
export interface ExecReport {
  /** Addresses that could be reached, as `host:port`: if there are any, the program has ended. */
  open: readonly string[];
}
