import { sentence } from "@treadle/protocol/sentences";
import { randomBytes } from "node:crypto";
import type { ListeningPort } from "../wire/messages.ts";
import { WorkspaceError, type Exit, type RunOptions } from "../types.ts";
import type { ProcessActivity } from "../limits/process-activity.ts";
import { DEFAULT_OUTER_MS, DEFAULT_QUIET_MS, limitByProgress } from "../limits/progress.ts";
import { createRedactor, type Redactor } from "@treadle/egress";
import { createBoundedText } from "./bounded-text.ts";
import { WAITED, watchForCrash } from "./crashed-watcher.ts";
import type { GuestLink } from "./guest-link.ts";
import type { InsideOptions } from "./sandbox-host.ts";

const OUTPUT_KEPT = 64 * 1024;
/** Milliseconds before a port that did not answer is tried again, for a command that may be a server. */
const ADOPT_AGAIN_MS = 1_000;
/** Ports that Linux assigns to programs that ask for any port, as tests do. */
const ANY_PORT = { first: 32_768, last: 60_999 };
/** Milliseconds that such a port has to be open before its command may be a server. */
const ANY_PORT_MS = 15_000;
/** Maximum number of refused hosts, and of refused packages, that are named for a command. */
const REFUSED_KEPT = 20;

/** A command in the sandbox, from its start to its end. */
export interface RunningCommand {
  readonly id: string;
  /** The command as it was requested. */
  readonly text: string;
  readonly ended: Promise<{ code: number; signal?: string }>;
  /** Its output, head and tail. */
  output(): string;
  /** Hosts that it was refused, without duplicates. */
  readonly refused: string[];
  /** Packages whose installation was refused while it ran, without duplicates. */
  readonly refusedPackages: string[];
  /** Called with every piece of output; one listener at a time. The first one also receives earlier output. */
  onOutput: ((text: string) => void) | undefined;
  /** Ports that its processes listen on, as of the latest look. */
  ports: number[];
  onPorts: (() => void) | undefined;
  kill(): Promise<void>;
  /** The activity of its processes so far; undefined if it cannot be measured. */
  activity(): Promise<ProcessActivity | undefined>;
}

/**
 * Starts commands in the guest and passes each its output and events.
 *
 * @param secrets whose values are replaced in output
 */
export function createCommands(
  secrets: () => readonly { name: string; value: string }[] = () => [],
) {
  const running = new Map<
    string,
    RunningCommand & {
      decoder: InstanceType<typeof TextDecoder>;
      redactor: Redactor;
      /** Subjects already announced in its output. */
      announced: Set<string>;
      add(text: string): void;
      end(r: { code: number; signal?: string }): void;
    }
  >();

  return {
    async start(
      link: GuestLink,
      command: string,
      how: InsideOptions = {},
    ): Promise<RunningCommand> {
      const id = randomBytes(8).toString("hex");
      const output = createBoundedText(OUTPUT_KEPT);
      // The first output may arrive together with the response to `start`, before the caller can
      // listen.
      let unheard = createBoundedText(OUTPUT_KEPT);
      let listener: RunningCommand["onOutput"];
      let end!: (result: { code: number; signal?: string }) => void;
      const ended = new Promise<{ code: number; signal?: string }>((resolve) => (end = resolve));
      const entry = {
        id,
        text: command,
        ended,
        // A chunk may end inside a character; a streaming decoder waits for the rest.
        decoder: new TextDecoder(),
        redactor: createRedactor(secrets),
        refused: [] as string[],
        refusedPackages: [] as string[],
        announced: new Set<string>(),
        output: () => output.toString(),
        get onOutput() {
          return listener;
        },
        set onOutput(next) {
          listener = next;
          const missed = unheard.toString();
          if (!next || missed === "") return;
          unheard = createBoundedText(OUTPUT_KEPT);
          next(missed);
        },
        ports: [] as number[],
        onPorts: undefined as RunningCommand["onPorts"],
        add(text: string) {
          if (text === "") return;
          output.add(text);
          if (listener) listener(text);
          else unheard.add(text);
        },
        end,
        kill: async () => {
          await link.request("kill", { process: id }).catch(() => undefined);
        },
        activity: async () => (await link.request("activity", { process: id })).result,
      };
      running.set(id, entry);
      void link.ended.then(() => {
        if (running.delete(id)) end({ code: 137, signal: "SIGKILL" });
      });
      try {
        await link.request("start", { process: id, command, ...how });
      } catch (error) {
        running.delete(id);
        throw error;
      }
      return entry;
    },

    /** Whether any command is running. */
    any: () => running.size > 0,

    output(id: string, bytes: Uint8Array): void {
      const entry = running.get(id);
      entry?.add(entry.redactor.push(entry.decoder.decode(bytes, { stream: true })));
    },

    /**
     * Reports in a command's output that a host was refused to one of its programs, once per host.
     */
    refused(id: string, host: string, words: string): void {
      const entry = running.get(id);
      if (!entry || entry.refused.includes(host) || entry.refused.length >= REFUSED_KEPT) return;
      entry.refused.push(host);
      entry.add(words);
    },

    /** Records a refused package for all running commands: the registry does not know whose request it was. */
    packageRefused(name: string): void {
      for (const { refusedPackages } of running.values())
        if (!refusedPackages.includes(name) && refusedPackages.length < REFUSED_KEPT)
          refusedPackages.push(name);
    },

    /** Adds a line from Treadle to the output of all running commands, once per subject. */
    announce(subject: string, words: string): void {
      for (const entry of running.values()) {
        if (entry.announced.has(subject)) continue;
        entry.announced.add(subject);
        entry.add(words);
      }
    },

    exit(id: string, code: number, signal?: string): void {
      const entry = running.get(id);
      if (!entry) return;
      entry.add(entry.redactor.push(entry.decoder.decode()) + entry.redactor.flush());
      running.delete(id);
      entry.end({ code, signal });
    },

    ports(ports: ListeningPort[]): void {
      for (const entry of running.values()) {
        entry.ports = ports.filter((p) => p.process === entry.id).map((p) => p.port);
        entry.onPorts?.();
      }
    },
  };
}

/**
 * Returns a function to call with the open ports at each change, which returns in how many
 * milliseconds one of them may count as a server's.
 */
function lastingPorts(): (ports: readonly number[]) => number {
  let since = new Map<number, number>();
  return (ports) => {
    const now = Date.now();
    since = new Map(ports.map((port) => [port, since.get(port) ?? now]));
    const isAny = (port: number) => port >= ANY_PORT.first && port <= ANY_PORT.last;
    return Math.min(...[...since].map(([port, at]) => (isAny(port) ? at + ANY_PORT_MS - now : 0)));
  };
}

/**
 * Waits for a command's end, or kills it: on the signal, by `limitByProgress`, or if it is a watcher whose program
 * crashed.
 * @param adopt called whenever its ports change; if it resolves with true, the command continues on its own
 */
export async function awaitCommand(
  command: RunningCommand,
  options: RunOptions,
  adopt?: () => Promise<boolean>,
): Promise<Exit | "adopted"> {
  const started = performance.now();
  const elapsed = () => Math.round(performance.now() - started);
  type Early = "timeout" | "quiet" | "aborted" | "adopted" | "crashed";
  let finish!: (why: Early) => void;
  const early = new Promise<Early>((resolve) => (finish = resolve));
  const limit = limitByProgress({
    outerMs: options.timeoutMs ?? DEFAULT_OUTER_MS,
    quietMs: options.quietMs ?? DEFAULT_QUIET_MS,
    activity: command.activity,
    onOver: finish,
  });
  const crash = watchForCrash(
    command.text,
    () => command.ports.length > 0,
    () => finish("crashed"),
  );
  command.onOutput = (text) => {
    limit.printed();
    crash.output(text);
    options.onOutput?.(text);
  };
  let again: NodeJS.Timeout | undefined;
  if (adopt) {
    let asking = false;
    const lasts = lastingPorts();
    const askIn = (ms: number) => {
      clearTimeout(again);
      again = setTimeout(() => command.onPorts?.(), ms);
    };
    command.onPorts = () => {
      const untilLasting = lasts(command.ports);
      if (asking || command.ports.length === 0) return;
      if (untilLasting > 0) return askIn(untilLasting);
      asking = true;
      adopt().then(
        (yes) => {
          asking = false;
          if (yes) return finish("adopted");
          // The port is open; its server may only be slow.
          askIn(ADOPT_AGAIN_MS);
        },
        // A port that cannot be reached is not a server yet.
        () => (asking = false),
      );
    };
    command.onPorts();
  }
  const onAbort = () => finish("aborted");
  if (options.signal?.aborted) onAbort();
  options.signal?.addEventListener("abort", onAbort, { once: true });
  try {
    const outcome = await Promise.race([command.ended, early]);
    if (outcome === "adopted") return outcome;
    command.onPorts = undefined;
    const refused = () => ({
      ...(command.refused.length > 0 && { refused: [...command.refused] }),
      ...(command.refusedPackages.length > 0 && { refusedPackages: [...command.refusedPackages] }),
    });
    if (typeof outcome === "object")
      return { kind: "exited", ...outcome, ms: elapsed(), output: command.output(), ...refused() };
    await command.kill();
    if (outcome === "crashed")
      return { kind: "exited", code: 1, ms: elapsed(), output: command.output() + WAITED, ...refused() }; // prettier-ignore
    return { kind: outcome, ms: elapsed(), output: command.output(), ...refused() };
  } finally {
    limit.end();
    clearTimeout(again);
    crash.end();
    options.signal?.removeEventListener("abort", onAbort);
  }
}

export function checkCommand(command: string): void {
  if (command.trim() === "") throw new WorkspaceError("failed", sentence("command-empty"));
  if (command.includes("\0")) throw new WorkspaceError("failed", sentence("command-with-nul"));
}
