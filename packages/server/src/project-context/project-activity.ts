import { sentence } from "@treadle/protocol/sentences";
import { ApiFailure, createSemaphore } from "@treadle/common";
import {
  after,
  GIVES_WAY,
  type ActivityEvent,
  type ActivityState,
} from "./activity-transitions.ts";

/** Work other than runs. */
export type Aside = "look" | "compact" | "restore";

/**
 * Gives access to a project's files to one activity at a time, each after the one before has
 * finished with them.
 */
export interface ProjectActivity {
  readonly state: ActivityState;
  /** Whether a run is active, queued or waiting for the person according to the log, until the last `run-end` is logged. */
  isRunning(): boolean;
  /** Whether anything is active; a run that only waits for the person is not. */
  isBusy(): boolean;
  /** Whether a run or a check is active, or a run waits for the person; these observe changes themselves. */
  isWatched(): boolean;
  /** The queue of runs reports its state. `run` ends an active check or compaction. */
  announce(event: Extract<ActivityEvent, "run" | "wait" | "run-end" | "runs-over">): void;
  /** Executes one queued run, as soon as nothing else uses the files. Rejects like it. */
  run<Result>(work: () => Promise<Result>): Promise<Result>;
  /**
   * Starts work other than runs once the follow-up work of the last run is done. No run starts before it has ended.
   * @param work receives a signal that is aborted when work of higher priority arrives
   * @throws ApiFailure `working` immediately if other work is active
   */
  begin<Result>(what: Aside, work: (signal: AbortSignal) => Promise<Result>): Promise<Result>;
  /**
   * Resolves once work other than a run could begin, or never can because the project is closed. Rejects with the
   * signal's reason.
   */
  atRest(signal: AbortSignal): Promise<void>;
  /** Ends an active check or compaction; resolves when it has ended, with whether there was one. */
  stop(reason: Error): Promise<boolean>;
  /** Ends an active check or compaction, waits for a restore to end, and prevents anything else from beginning. */
  close(reason: Error): Promise<void>;
}

export function createActivity(): ProjectActivity {
  let state: ActivityState = "idle";
  let aside: { controller: AbortController; done: Promise<unknown> } | undefined;
  const files = createSemaphore(1);
  const resting = new Set<() => void>();
  const isAtRest = () => state === "closed" || after(state, "restore") !== undefined;

  function move(event: ActivityEvent): boolean {
    const next = after(state, event);
    if (next === undefined) return false;
    if (next === "running" && GIVES_WAY.has(state))
      aside?.controller.abort(new DOMException("A turn begins.", "AbortError"));
    state = next;
    if (isAtRest()) for (const resolve of resting) resolve();
    return true;
  }

  return {
    get state() {
      return state;
    },
    isRunning: () => state === "running" || state === "waiting",
    isBusy: () => state !== "idle" && state !== "waiting" && state !== "closed",
    isWatched: () => state === "running" || state === "waiting" || state === "looking",
    announce: (event) => void move(event),
    run: (work) => files.hold(work),
    begin(what, work) {
      if (!move(what)) throw working();
      const controller = new AbortController();
      const { signal } = controller;
      const doing = files.hold(() => work(signal));
      const current = { controller, done: doing.then(finished, finished) };
      aside = current;
      function finished() {
        if (aside !== current) return;
        aside = undefined;
        // If a run has replaced it meanwhile, the run goes on.
        move("over");
      }
      return doing;
    },
    async atRest(signal) {
      signal.throwIfAborted();
      if (isAtRest()) return;
      const { promise, resolve, reject } = Promise.withResolvers<void>();
      const leave = () => reject(signal.reason as Error);
      signal.addEventListener("abort", leave, { once: true });
      resting.add(resolve);
      try {
        await promise;
      } finally {
        resting.delete(resolve);
        signal.removeEventListener("abort", leave);
      }
    },
    async stop(reason) {
      if (GIVES_WAY.has(state)) aside?.controller.abort(reason);
      if (!aside?.controller.signal.aborted) return false;
      await aside.done;
      return true;
    },
    async close(reason) {
      if (GIVES_WAY.has(state)) aside?.controller.abort(reason);
      move("close");
      await aside?.done;
    },
  };
}

const working = () => new ApiFailure(409, "working", sentence("working"));
