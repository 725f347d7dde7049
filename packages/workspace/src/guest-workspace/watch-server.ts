import { tailOf } from "@treadle/protocol/safe-text";
import type { Duplex } from "node:stream";
import { limitByProgress } from "../limits/progress.ts";
import type { RunOptions } from "../types.ts";
import type { RunningCommand } from "./commands.ts";
import { watchForCrash } from "./crashed-watcher.ts";
import type { SupervisorEvent } from "./supervisor-lifecycle.ts";
import { whenAnswering } from "./when-answering.ts";

/** How long to wait for a server that neither answers nor makes progress. */
const READY_MS = 60_000;
/** How long to wait for a server that makes progress but never answers. */
const OUTER_MS = 5 * 60_000;
/** Number of characters of the latest output that are reported with a crash. */
const TAIL_CHARS = 4_000;

/**
 * Returns `up`, which resolves when the time limit for a server is reached or its caller gives up. Output alone is no
 * progress: a program may print the same line forever without becoming a server.
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

/** `now` is in milliseconds and never decreases. */
export interface Clock {
  now(): number;
  sleep(ms: number): Promise<unknown>;
}

/**
 * Emits events about a server's process: that it answers, that its watcher waits, that the time
 * limit is over or the caller gave up, and always that it ended.
 * @param server.run the caller that waits for it and its time limit; undefined if it already
 * answers
 * @returns a function that stops all events except `ended`
 */
export function watchServer<How>(
  server: {
    process: RunningCommand;
    command: string;
    run: RunOptions | undefined;
    connect(port: number): Promise<Duplex>;
    onOutput(text: string): void;
    clock: Clock;
  },
  send: (event: SupervisorEvent<RunningCommand, How>) => void,
): () => void {
  const { process, run, clock, onOutput, connect } = server;
  const tail = () => tailOf(process.output(), TAIL_CHARS);
  const controller = new AbortController();
  void process.ended.then(({ code }) => {
    controller.abort();
    send({ type: "ended", process, code, tail: tail(), at: clock.now() });
  });
  const stop = () => controller.abort();
  if (!run) return stop;
  const crashed = Promise.withResolvers<void>();
  const hangsUp = Promise.withResolvers<void>();
  const crash = watchForCrash(
    server.command,
    () => process.ports.length > 0,
    () => {
      send({ type: "watcher-waits", process, tail: tail() });
      crashed.resolve();
    },
  );
  process.onOutput = (piece) => {
    crash.output(piece);
    run.onOutput?.(piece);
    onOutput(piece);
  };
  // Asking continues afterwards: a slow server may still answer.
  const asking = { connect, ...clock, onHangsUp: hangsUp.resolve };
  const answering = whenAnswering(process, asking, controller.signal).then((ports) => {
    if (ports) send({ type: "answered", process, ports, since: Date.now(), at: clock.now() });
  });
  const given = waiting(run, process);
  const stopWaiting = () => {
    given.end();
    crash.end();
    process.onOutput = onOutput;
    if (controller.signal.aborted) return;
    if (run.signal?.aborted) send({ type: "aborted", process });
    else send({ type: "waited", process, ports: [...process.ports], tail: tail() });
  };
  Promise.race([answering, given.up, crashed.promise, hangsUp.promise]).then(
    stopWaiting,
    stopWaiting,
  );
  return stop;
}
