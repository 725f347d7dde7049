import type { Duplex } from "node:stream";
import { setTimeout as sleep } from "node:timers/promises";
import type { ServerState } from "@treadle/protocol";
import type { RunOptions } from "../types.ts";
import { answers } from "./answers.ts";
import type { RunningCommand } from "./commands.ts";
import { createWarmServer } from "./warm-server.ts";

const READY_MS = 60_000;
const FIRST_ANSWER_MS = 30_000;
const MAX_RESTARTS = 3;
/** Doubled at each restart. */
const BACK_OFF_MS = 500;
const TAIL = 4_000;

/** Keeps one server running: the project's. */
export function createSupervisor(options: {
  start(command: string): Promise<RunningCommand>;
  /** Says by what content the files stand that a server reads once, when it starts. */
  setUp(): Promise<string>;
  connect(port: number): Promise<Duplex>;
  onState(state: ServerState): void;
  onOutput(text: string): void;
}) {
  const warm = createWarmServer(options.start, options.setUp);
  let state: ServerState | undefined;
  let current: RunningCommand | undefined;
  /** Grows whenever the server is replaced or stopped; what an older one still says is not listened to. */
  let generation = 0;

  function tell(change: Partial<ServerState>): ServerState {
    state = { ...state!, ...change };
    options.onState(state);
    return state;
  }

  async function stop(): Promise<void> {
    generation++;
    const ending = current;
    current = undefined;
    await Promise.all([ending?.kill(), warm.drop()]);
    if (state && state.state !== "stopped" && state.state !== "crashed")
      tell({ state: "stopped", ports: [] });
  }

  /** Waits until one of its ports answers; puts that one first. */
  async function whenAnswering(
    command: RunningCommand,
    signal: AbortSignal,
  ): Promise<number[] | undefined> {
    while (!signal.aborted) {
      for (const port of command.ports)
        if (await answers(() => options.connect(port), port, FIRST_ANSWER_MS, signal))
          return [port, ...command.ports.filter((other) => other !== port)];
      await new Promise<void>((resolve) => {
        const done = () => {
          clearTimeout(timer);
          command.onPorts = undefined;
          resolve();
        };
        // A port that did not answer yet is asked again, even when no other one opens.
        const timer = setTimeout(done, 150);
        command.onPorts = done;
        signal.addEventListener("abort", done, { once: true });
      });
    }
    return undefined;
  }

  function watch(
    command: RunningCommand,
    mine: number,
    onOutput: (text: string) => void = options.onOutput,
  ): void {
    current = command;
    command.onOutput = onOutput;
    void command.ended.then(async ({ code }) => {
      if (mine !== generation || current !== command) return;
      current = undefined;
      const wasUp = state?.state === "up";
      const restarts = state?.restarts ?? 0;
      tell({ state: "crashed", ports: [], exitCode: code, tail: command.output().slice(-TAIL) });
      // What never came up will not by being tried again; it is the caller who hears of it.
      if (!wasUp || restarts >= MAX_RESTARTS) return;
      await sleep(BACK_OFF_MS * 2 ** restarts);
      if (mine !== generation) return;
      await launch(state!.command, {}, restarts + 1, mine).catch(() => undefined);
    });
  }

  async function launch(
    text: string,
    run: RunOptions,
    restarts: number,
    mine: number,
    ready?: RunningCommand,
  ): Promise<ServerState> {
    state = { state: "starting", command: text, ports: [], restarts };
    options.onState(state);
    const command = ready ?? (await options.start(text));
    watch(command, mine, (piece) => {
      run.onOutput?.(piece);
      options.onOutput(piece);
    });
    const given = new AbortController();
    const timer = setTimeout(() => given.abort(), run.timeoutMs ?? READY_MS);
    const onAbort = () => given.abort();
    run.signal?.addEventListener("abort", onAbort, { once: true });
    void command.ended.then(() => given.abort());
    const ports = await whenAnswering(command, given.signal);
    clearTimeout(timer);
    run.signal?.removeEventListener("abort", onAbort);
    if (mine !== generation) return state!;
    if (run.signal?.aborted) {
      await stop();
      return state!;
    }
    if (current !== command) return state!;
    watchPorts(command, mine);
    command.onOutput = options.onOutput;
    if (ports) return tell({ state: "up", ports, exitCode: undefined, tail: undefined });
    return tell({ state: "starting", tail: command.output().slice(-TAIL) });
  }

  function watchPorts(command: RunningCommand, mine: number): void {
    command.onPorts = () => {
      if (mine !== generation || state?.state !== "up" || command.ports.length === 0) return;
      const kept = state.ports.filter((port) => command.ports.includes(port));
      const ports = [...kept, ...command.ports.filter((port) => !kept.includes(port))];
      if (ports.join() !== state.ports.join()) tell({ ports });
    };
  }

  return {
    get state(): ServerState | undefined {
      return state;
    },
    stop,
    async start(command: string, run: RunOptions = {}): Promise<ServerState> {
      const ready = await warm.take(command);
      await stop();
      return launch(command, run, 0, ++generation, ready);
    },
    /** Starts what is going to be asked for, unseen; nothing while a server runs. */
    warm(command: string): void {
      if (!current) warm.begin(command);
    },
    /** What was started before it was asked for would not be what is asked for now. */
    cool: () => warm.drop(),
    /** Takes over a command that turned out to be a server, if one of its ports answers. */
    async adopt(text: string, command: RunningCommand): Promise<boolean> {
      for (const port of command.ports) {
        if (!(await answers(() => options.connect(port), port, FIRST_ANSWER_MS))) continue;
        await (current ? stop() : warm.drop());
        const mine = ++generation;
        state = { state: "starting", command: text, ports: [], restarts: 0 };
        watch(command, mine);
        watchPorts(command, mine);
        tell({ state: "up", ports: [port, ...command.ports.filter((other) => other !== port)] });
        return true;
      }
      return false;
    },
    /** The sandbox is gone, and the server with it. */
    lost(): void {
      generation++;
      current = undefined;
      if (state && state.state !== "stopped") tell({ state: "stopped", ports: [] });
    },
  };
}
