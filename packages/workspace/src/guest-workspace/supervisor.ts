import type { Duplex } from "node:stream";
import { setTimeout as sleep } from "node:timers/promises";
import type { ServerState } from "@treadle/protocol";
import { createLifecycle } from "@treadle/protocol/lifecycle";
import type { StartOptions } from "../types.ts";
import type { RunningCommand } from "./commands.ts";
import type { InsideOptions } from "./sandbox-host.ts";
import {
  NO_SERVER,
  transition,
  type Caller,
  type Next,
  type SupervisorEffect,
  type SupervisorEvent,
} from "./supervisor-lifecycle.ts";
import { createWarmServer } from "./warm-server.ts";
import { watchServer, type Clock } from "./watch-server.ts";
import { firstAnswering } from "./when-answering.ts";

/** How a server is started and restarted. */
type ServerStart = Pick<InsideOptions, "env" | "takesDials" | "countsCode">;

type Target = Next<RunningCommand, StartOptions>;

/**
 * Keeps the project's server running. The state machine in `supervisor-lifecycle.ts` decides what
 * happens when.
 */
export function createSupervisor(options: {
  start(command: string, how?: ServerStart): Promise<RunningCommand>;
  /** Returns a digest of the files that a server reads only at its start. */
  setUp(): Promise<string>;
  connect(port: number): Promise<Duplex>;
  /**
   * Ends processes left running by finished commands, except `but`, which is about to become the
   * server.
   */
  endLeftBehind(but: string | undefined): Promise<void>;
  onState(state: ServerState): void;
  onOutput(text: string): void;
  /** Replaced in tests. */
  clock?: Clock;
}) {
  const clock: Clock = options.clock ?? { now: () => performance.now(), sleep };
  const warm = createWarmServer((command) => options.start(command), options.setUp);
  /** Callers that still wait for an answer. */
  const callers = new Map<
    Caller,
    { command: string; resolve(result: Answer): void; reject(error: unknown): void }
  >();
  let lastCaller = 0;
  /** Stops watching the process that is or was the server. */
  let stopWatching = () => {};
  let log = () => "";
  /** Digest of the files at the time of the server's start. */
  let setUp: Promise<string> | undefined;

  const lifecycle = createLifecycle(NO_SERVER, transition<RunningCommand, StartOptions>, perform);
  const { send } = lifecycle;

  interface Answer {
    server: ServerState;
    isAdopted: boolean;
  }

  function ask(
    command: string,
    event: (caller: Caller) => SupervisorEvent<RunningCommand, StartOptions>,
  ): Promise<Answer> {
    const caller = ++lastCaller;
    const { promise, resolve, reject } = Promise.withResolvers<Answer>();
    callers.set(caller, { command, resolve, reject });
    send(event(caller));
    return promise;
  }

  function perform(effect: SupervisorEffect<RunningCommand, StartOptions>): void {
    switch (effect.type) {
      case "announce":
        return options.onState(effect.server);
      case "clear":
        stopWatching();
        makeRoom(effect.process, effect.target).then(
          (ready) => send({ type: "cleared", ready }),
          (error: unknown) => send({ type: "clear-failed", error }),
        );
        return;
      case "launch": {
        noteSetUp();
        const { command, how } = effect.job;
        launch(command, how, effect.ready).then(
          (process) => send({ type: "launched", process }),
          (error: Error) => send({ type: "launch-failed", error, message: error.message }),
        );
        return;
      }
      case "watch":
        return watch(effect);
      case "follow-ports":
        return followPorts(effect.process);
      case "sleep": {
        const { process } = effect;
        const wake = () => send({ type: "slept", process });
        clock.sleep(effect.ms).then(wake, wake);
        return;
      }
      case "answer":
        for (const caller of effect.callers) {
          const { command, resolve } = forget(caller);
          const server = effect.server ?? { state: "stopped", command, ports: [], restarts: 0 };
          resolve({ server, isAdopted: effect.isAdopted });
        }
        return;
      case "reject":
        for (const caller of effect.callers) forget(caller).reject(effect.error);
    }
  }

  function forget(caller: Caller) {
    const waiting = callers.get(caller)!;
    callers.delete(caller);
    return waiting;
  }

  /**
   * Ends what must not run beside `target`. Returns a process that was started for it in advance,
   * if any.
   */
  async function makeRoom(
    process: RunningCommand | undefined,
    target: Target | undefined,
  ): Promise<RunningCommand | undefined> {
    if (target?.kind !== "start") {
      await Promise.all([process?.kill(), target?.kind === "restart" ? undefined : warm.drop()]);
      return undefined;
    }
    const { command, how } = target.job;
    // A warm server was started with the options of a preview.
    const isOther = how.env !== undefined || how.takesDials === true || how.countsCode === true;
    const ready = isOther ? void (await warm.drop()) : await warm.take(command);
    try {
      await Promise.all([process?.kill(), warm.drop()]);
      if (how.alone) await options.endLeftBehind(ready?.id);
      return ready;
    } catch (error) {
      await ready?.kill();
      throw error;
    }
  }

  const launch = async (
    command: string,
    { env, takesDials, countsCode }: StartOptions,
    ready: RunningCommand | undefined,
  ) => ready ?? options.start(command, { env, takesDials, countsCode });

  function noteSetUp(): void {
    setUp = options.setUp();
    setUp.catch(() => undefined);
  }

  function watch({
    process,
    job,
    isUp,
    isAsked,
  }: Extract<SupervisorEffect<RunningCommand, StartOptions>, { type: "watch" }>): void {
    log = () => process.output();
    const { connect, onOutput } = options;
    if (isUp) {
      noteSetUp();
      process.onOutput = onOutput;
      followPorts(process);
    }
    const { command, how } = job;
    // A restart has no caller, and so no listener, signal or time limit.
    const run = isUp ? undefined : isAsked ? how : {};
    stopWatching = watchServer({ process, command, run, connect, onOutput, clock }, send);
  }

  function followPorts(process: RunningCommand): void {
    process.onPorts = () => send({ type: "ports", process, ports: [...process.ports] });
  }

  return {
    get state(): ServerState | undefined {
      return lifecycle.state.server;
    },
    /** Resolves when nothing of the server runs any more. Cancels a start in progress. */
    async stop(): Promise<void> {
      await ask("", (caller) => ({ type: "stop", caller }));
    },
    /**
     * Starts a server in place of the previous one. Resolves as `Workspace.start` does; if another
     * start or a stop follows before that, resolves with the state once this one has been ended.
     */
    async start(command: string, how: StartOptions = {}): Promise<ServerState> {
      const job = { command, how };
      return (await ask(command, (caller) => ({ type: "start", job, caller }))).server;
    },
    /**
     * Starts the command in advance without announcing it; does nothing while a server runs or is
     * being started.
     */
    warm(command: string): void {
      if (lifecycle.state.phase === "idle") warm.begin(command);
    },
    /** Stops the server that was started in advance, because packages or settings are about to change. */
    cool: () => warm.drop(),
    /**
     * Takes over a command that turned out to be a server, if one of its ports answers. The command stays its caller's if
     * this resolves with `false`.
     */
    async adopt(text: string, process: RunningCommand): Promise<boolean> {
      const port = await firstAnswering(process.ports, options.connect);
      if (port === undefined) return false;
      const ports = [port, ...process.ports.filter((other) => other !== port)];
      const found = { process, ports, since: Date.now(), at: clock.now() };
      const job = { command: text, how: {} };
      const { isAdopted } = await ask(text, (caller) => ({ type: "adopt", job, caller, ...found }));
      return isAdopted;
    },
    log: () => log(),
    async isSetUp(): Promise<boolean> {
      const [then, now] = await Promise.all([setUp, options.setUp()]);
      return then === now;
    },
    /** Puts a port of the running server first; does nothing if it has no such port. */
    showPort: (port: number) => send({ type: "show-port", port }),
    /** Call when the sandbox is gone, and the server with it. */
    lost(): void {
      stopWatching();
      send({ type: "lost" });
    },
  };
}
