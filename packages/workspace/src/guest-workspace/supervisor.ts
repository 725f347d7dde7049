import { tailOf } from "@treadle/protocol/safe-text";
import type { Duplex } from "node:stream";
import { setTimeout as sleep } from "node:timers/promises";
import type { ServerState } from "@treadle/protocol";
import type { RunOptions, StartOptions } from "../types.ts";
import { limitByProgress } from "../limits/progress.ts";
import type { RunningCommand } from "./commands.ts";
import { watchForCrash } from "./crashed-watcher.ts";
import type { InsideOptions } from "./sandbox-host.ts";
import { createWarmServer } from "./warm-server.ts";
import { firstAnswering, whenAnswering } from "./when-answering.ts";

/** A server that neither answers nor gets on is waited for so long. */
const READY_MS = 60_000;
/** One that gets on, and never answers. */
const OUTER_MS = 5 * 60_000;
const MAX_RESTARTS = 3;
/** What was up for so long has come up well. */
const STEADY_MS = 60_000;
/** Doubled at each restart. */
const BACK_OFF_MS = 500;
const TAIL = 4_000;

/**
 * Resolves when whoever asked for a server does not wait for it any longer. What it prints is no reason to: it may say the
 * same for ever, and never be one.
 */
function waiting(
  { timeoutMs, signal }: RunOptions,
  { activity }: RunningCommand,
): { up: Promise<void>; end(): void } {
  const { promise, resolve } = Promise.withResolvers<void>();
  const limit = limitByProgress({
    outerMs: timeoutMs ?? OUTER_MS,
    quietMs: Math.min(READY_MS, timeoutMs ?? READY_MS),
    activity,
    onOver: () => resolve(),
  });
  const onAbort = () => resolve();
  if (signal?.aborted) resolve();
  signal?.addEventListener("abort", onAbort);
  return {
    up: promise,
    end() {
      limit.end();
      signal?.removeEventListener("abort", onAbort);
    },
  };
}

/** How a server is started, and started again. */
type ServerStart = Pick<InsideOptions, "env" | "takesDials">;

/** Keeps one server running: the project's. */
export function createSupervisor(options: {
  start(command: string, how?: ServerStart): Promise<RunningCommand>;
  /** Says by what content the files stand that a server reads once, when it starts. */
  setUp(): Promise<string>;
  connect(port: number): Promise<Duplex>;
  /** Ends what commands that are over have left running; `but` is the one that is going to be the server. */
  endLeftBehind(but: string | undefined): Promise<void>;
  onState(state: ServerState): void;
  onOutput(text: string): void;
  /** Tests put one of their own here. Milliseconds; `now` only ever grows. */
  clock?: { now(): number; sleep(ms: number): Promise<unknown> };
}) {
  const clock = options.clock ?? { now: () => performance.now(), sleep };
  const warm = createWarmServer((command) => options.start(command), options.setUp);
  let state: ServerState | undefined;
  let current: RunningCommand | undefined;
  /** The one before, which may have left processes of its own behind. */
  let last: RunningCommand | undefined;
  /** Grows whenever the server is replaced or stopped; what an older one still says is not listened to. */
  let generation = 0;
  let upAt = 0;
  let log = () => "";
  /** Of the files as they stood when the server was started. */
  let setUp: Promise<string> | undefined;

  const noteSetUp = () => {
    setUp = options.setUp();
    setUp.catch(() => undefined);
  };

  function tell(change: Partial<ServerState>): ServerState {
    state = { ...state!, ...change };
    options.onState(state);
    return state;
  }

  async function stop(): Promise<void> {
    generation++;
    const ending = current ?? last;
    current = last = undefined;
    await Promise.all([ending?.kill(), warm.drop()]);
    if (state && state.state !== "stopped" && state.state !== "crashed")
      tell({ state: "stopped", ports: [] });
  }

  function watch(
    command: RunningCommand,
    mine: number,
    how: ServerStart = {},
    onOutput: (text: string) => void = options.onOutput,
  ): void {
    current = last = command;
    log = () => command.output();
    command.onOutput = onOutput;
    const ended = async (code: number) => {
      if (mine !== generation || current !== command) return;
      current = undefined;
      const wasUp = state?.state === "up";
      // What ran well for a while has not been failing ever since: its tries are counted anew.
      const isSteady = wasUp && clock.now() - upAt >= STEADY_MS;
      const restarts = isSteady ? 0 : (state?.restarts ?? 0);
      tell({ state: "crashed", ports: [], exitCode: code, tail: tailOf(command.output(), TAIL) });
      // What never came up will not by being tried again; it is the caller who hears of it.
      if (!wasUp || restarts >= MAX_RESTARTS) return;
      await clock.sleep(BACK_OFF_MS * 2 ** restarts);
      // What it left in the background would keep its port.
      await command.kill();
      if (mine !== generation) return;
      await launch(state!.command, how, restarts + 1, mine);
    };
    // Where it cannot be started again it stays as it was told: crashed.
    command.ended.then(({ code }) => ended(code)).catch(() => undefined);
  }

  async function launch(
    text: string,
    run: StartOptions,
    restarts: number,
    mine: number,
    ready?: RunningCommand,
  ): Promise<ServerState> {
    const how = { env: run.env, takesDials: run.takesDials };
    state = { state: "starting", command: text, ports: [], restarts };
    options.onState(state);
    noteSetUp();
    const command =
      ready ??
      (await options.start(text, how).catch((error: Error) => {
        // It was never there: nobody waits for it to come up.
        if (mine === generation) tell({ state: "crashed", tail: error.message });
        throw error;
      }));
    const crashed = Promise.withResolvers<void>();
    const isMine = () => mine === generation && current === command;
    const crash = watchForCrash(
      text,
      () => command.ports.length > 0,
      () => {
        if (!isMine() || state?.state === "up") return;
        // Its watcher goes on: where somebody changes a file it may be up yet.
        tell({ state: "crashed", ports: [], tail: tailOf(command.output(), TAIL) });
        crashed.resolve();
      },
    );
    watch(command, mine, how, (piece) => {
      crash.output(piece);
      run.onOutput?.(piece);
      options.onOutput(piece);
    });
    const over = new AbortController();
    void command.ended.then(() => over.abort());
    const { connect } = options;
    const hangsUp = Promise.withResolvers<void>();
    const asking = { connect, ...clock, onHangsUp: hangsUp.resolve };
    const answering = whenAnswering(command, asking, over.signal).then((ports) => {
      if (!ports || !isMine()) return;
      watchPorts(command, mine);
      upAt = clock.now();
      tell({ state: "up", ports, since: Date.now(), exitCode: undefined, tail: undefined });
    });
    answering.catch(() => undefined);
    const given = waiting(run, command);
    await Promise.race([answering, given.up, crashed.promise, hangsUp.promise]);
    given.end();
    crash.end();
    if (mine !== generation) {
      over.abort();
      return state!;
    }
    if (run.signal?.aborted) {
      over.abort();
      await stop();
      return state!;
    }
    command.onOutput = options.onOutput;
    if (current !== command || state?.state === "up" || state?.state === "crashed") return state!;
    // It may answer yet, and is up then; whoever asked for it has waited long enough.
    const tail = tailOf(command.output(), TAIL);
    return tell({ state: "starting", ports: [...command.ports], tail });
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
    async start(command: string, run: StartOptions = {}): Promise<ServerState> {
      // The one that is warm was started as a preview's is.
      const isOther = run.env !== undefined || run.takesDials === true;
      const ready = isOther ? void (await warm.drop()) : await warm.take(command);
      await stop();
      if (run.alone) await options.endLeftBehind(ready?.id);
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
      const port = await firstAnswering(command.ports, options.connect);
      if (port === undefined) return false;
      await (current ? stop() : warm.drop());
      const mine = ++generation;
      state = { state: "starting", command: text, ports: [], restarts: 0 };
      noteSetUp();
      watch(command, mine);
      watchPorts(command, mine);
      upAt = clock.now();
      const ports = [port, ...command.ports.filter((other) => other !== port)];
      tell({ state: "up", ports, since: Date.now() });
      return true;
    },
    log: () => log(),
    async isSetUp(): Promise<boolean> {
      const [then, now] = await Promise.all([setUp, options.setUp()]);
      return then === now;
    },
    showPort(port: number): void {
      if (state?.state !== "up" || !state.ports.includes(port) || state.ports[0] === port) return;
      tell({ ports: [port, ...state.ports.filter((other) => other !== port)] });
    },
    /** The sandbox is gone, and the server with it. */
    lost(): void {
      generation++;
      current = undefined;
      if (state && state.state !== "stopped") tell({ state: "stopped", ports: [] });
    },
  };
}
