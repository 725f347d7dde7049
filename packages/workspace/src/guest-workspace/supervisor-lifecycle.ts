/**
 * State machine of a project's only server: ends what was there before, starts and watches a
 * process, and restarts it after a crash.
 * Invariants; `supervisor-lifecycle.test.ts` checks them over random interleavings:
 * - No process outlives its owner: each started process is known to the state until it has ended,
 * even if it was stopped or replaced while it was still being started.
 * - Two servers never run at once: a process is started only after everything before it has been
 * ended.
 * - The latest request wins. Every caller is answered exactly once, including those whose request
 * was replaced.
 * - A crashed server is restarted at most `MAX_RESTARTS` times in a row.
 * - Every state can be left: `stop` leads to `idle` from everywhere, whatever fails on the way.
 */
import type { ServerState } from "@treadle/protocol";
import type { Step } from "@treadle/protocol/lifecycle";

export const MAX_RESTARTS = 3;
/** A server that was up for this long is steady: the count of its restarts begins again. */
export const STEADY_MS = 60_000;
/** The delay before the first restart; it doubles with each further one. */
const BACK_OFF_MS = 500;

/** Identifies a caller that waits for an answer. */
export type Caller = number;

/** What to start. `How` carries the details that the shell needs. */
export interface Job<How> {
  readonly command: string;
  readonly how: How;
}

/** What follows once everything earlier has been ended. */
export type Next<Process, How> =
  | { readonly kind: "start"; readonly job: Job<How>; readonly caller: Caller }
  | { readonly kind: "restart"; readonly job: Job<How>; readonly restarts: number }
  /** Takes over a process that is already running and answers at these ports. */
  | {
      readonly kind: "adopt";
      readonly job: Job<How>;
      readonly caller: Caller;
      readonly process: Process;
      readonly ports: readonly number[];
      readonly since: number;
      readonly at: number;
    };

interface Waiting {
  /**
   * Callers that requested a stop, or whose request was replaced: they are answered when everything
   * has been ended.
   */
  readonly callers: readonly Caller[];
}

type Phase<Process, How> =
  /** Nothing runs or is being started. `last` may have left processes behind. */
  | { readonly phase: "idle"; readonly last?: Process | undefined }
  /** The previous server is being stopped to make room for `target`; `next` is the latest request since. */
  | ({
      readonly phase: "clearing";
      readonly process: Process | undefined;
      readonly target: Next<Process, How> | undefined;
      readonly next: Next<Process, How> | undefined;
    } & Waiting)
  | ({
      readonly phase: "launching";
      readonly job: Job<How>;
      /** A process that was started in advance. */
      readonly process: Process | undefined;
      readonly restarts: number;
      readonly caller: Caller | undefined;
      /** Whether it was stopped or replaced: its process is ended as soon as it exists, and `next` follows. */
      readonly isAbandoned: boolean;
      readonly next: Next<Process, How> | undefined;
    } & Waiting)
  | {
      readonly phase: "running";
      readonly process: Process;
      readonly job: Job<How>;
      /** When it first answered, in milliseconds on the monotonic clock; undefined before that. */
      readonly upAt: number | undefined;
      readonly caller: Caller | undefined;
    }
  /** It crashed, and is restarted after a delay. */
  | {
      readonly phase: "backing-off";
      readonly process: Process;
      readonly job: Job<How>;
      /** The number of restarts since it was last steady. */
      readonly restarts: number;
    };

export type SupervisorState<Process, How> = Phase<Process, How> & {
  /** The state last announced; undefined before the first start. */
  readonly server: ServerState | undefined;
};

export type SupervisorEvent<Process, How> =
  | { readonly type: "start"; readonly job: Job<How>; readonly caller: Caller }
  | { readonly type: "stop"; readonly caller: Caller }
  | ({ readonly type: "adopt" } & Omit<Extract<Next<Process, How>, { kind: "adopt" }>, "kind">)
  /** `ready` is a process that was started in advance. */
  | { readonly type: "cleared"; readonly ready?: Process | undefined }
  | { readonly type: "clear-failed"; readonly error: unknown }
  | { readonly type: "launched"; readonly process: Process }
  | { readonly type: "launch-failed"; readonly error: unknown; readonly message: string }
  /**
   * It answers requests. `since` is the time of day, `at` the monotonic clock, both in
   * milliseconds.
   */
  | {
      readonly type: "answered";
      readonly process: Process;
      readonly ports: readonly number[];
      readonly since: number;
      readonly at: number;
    }
  /** Its program crashed, and its watcher waits for a file to change. */
  | { readonly type: "watcher-waits"; readonly process: Process; readonly tail: string }
  /** The time limit for its start is over. */
  | {
      readonly type: "waited";
      readonly process: Process;
      readonly ports: readonly number[];
      readonly tail: string;
    }
  /** The caller has given up, so the server must be stopped. */
  | { readonly type: "aborted"; readonly process: Process }
  | {
      readonly type: "ended";
      readonly process: Process;
      readonly code: number;
      readonly tail: string;
      readonly at: number;
    }
  | { readonly type: "ports"; readonly process: Process; readonly ports: readonly number[] }
  | { readonly type: "show-port"; readonly port: number }
  | { readonly type: "slept"; readonly process: Process }
  /** The sandbox is gone, and every process with it. */
  | { readonly type: "lost" };

export type SupervisorEffect<Process, How> =
  | { readonly type: "announce"; readonly server: ServerState }
  /**
   * Ends `process` and everything else that must not run beside `target`. Results in `cleared` or
   * `clear-failed`.
   */
  | {
      readonly type: "clear";
      readonly process: Process | undefined;
      readonly target: Next<Process, How> | undefined;
    }
  /** Results in `launched` or `launch-failed`. */
  | { readonly type: "launch"; readonly job: Job<How>; readonly ready: Process | undefined }
  /**
   * Watches a process until it ends. `isUp`: it already answers. `isAsked`: a caller waits for it
   * to come up.
   */
  | {
      readonly type: "watch";
      readonly process: Process;
      readonly job: Job<How>;
      readonly isUp: boolean;
      readonly isAsked: boolean;
    }
  | { readonly type: "follow-ports"; readonly process: Process }
  /** Results in `slept`. */
  | { readonly type: "sleep"; readonly ms: number; readonly process: Process }
  | {
      readonly type: "answer";
      readonly callers: readonly Caller[];
      readonly server: ServerState | undefined;
      /** Whether a process was adopted. */
      readonly isAdopted: boolean;
    }
  | { readonly type: "reject"; readonly callers: readonly Caller[]; readonly error: unknown };

type State<P, H> = SupervisorState<P, H>;
type Event<P, H> = SupervisorEvent<P, H>;
type Effect<P, H> = SupervisorEffect<P, H>;
type Moved<P, H> = Step<State<P, H>, Effect<P, H>>;

export const NO_SERVER: State<never, never> = { phase: "idle", server: undefined };

/** Pure and total: an event that is impossible in a state changes nothing. */
export function transition<P, H>(state: State<P, H>, event: Event<P, H>): Moved<P, H> {
  switch (event.type) {
    case "start":
      return replace(state, { kind: "start", job: event.job, caller: event.caller });
    case "adopt": {
      const { type: _, ...adoption } = event;
      return replace(state, { kind: "adopt", ...adoption });
    }
    case "stop":
      return replace(state, undefined, event.caller);
    case "cleared":
    case "clear-failed":
      return state.phase === "clearing" ? afterClearing(state, event) : unchanged(state);
    case "launched":
    case "launch-failed":
      return state.phase === "launching" ? afterLaunching(state, event) : unchanged(state);
    case "slept": {
      if (state.phase !== "backing-off" || state.process !== event.process) return unchanged(state);
      const { process, job, restarts } = state;
      return clear(state, process, { kind: "restart", job, restarts: restarts + 1 }, []);
    }
    case "show-port": {
      const { server } = state;
      const { port } = event;
      if (server?.state !== "up" || !server.ports.includes(port) || server.ports[0] === port)
        return unchanged(state);
      return announce(state, { ports: [port, ...server.ports.filter((other) => other !== port)] });
    }
    case "lost":
      return lost(state);
    default:
      return state.phase === "running" && state.process === event.process
        ? whileRunning(state, event)
        : unchanged(state);
  }
}

const unchanged = <P, H>(state: State<P, H>): Moved<P, H> => ({ state, effects: [] });

/** Changes the server in a state, and adds the announcement to the effects. */
function announce<P, H>(
  state: State<P, H>,
  change: Partial<ServerState>,
  ...effects: Effect<P, H>[]
): Moved<P, H> {
  // A server that was never requested is not announced.
  if (state.server === undefined) return { state, effects };
  const server = { ...state.server, ...change };
  return { state: { ...state, server }, effects: [{ type: "announce", server }, ...effects] };
}

/** The caller of a replaced request. */
const callerOf = <P, H>(next: Next<P, H> | undefined): Caller[] =>
  next && next.kind !== "restart" ? [next.caller] : [];

/** Replaces the current server or start with `next`, or with nothing. */
function replace<P, H>(
  state: State<P, H>,
  next: Next<P, H> | undefined,
  ...stoppers: Caller[]
): Moved<P, H> {
  switch (state.phase) {
    case "idle":
      return clear(state, state.last, next, stoppers);
    case "running":
      return clear(state, state.process, next, [...callersOf(state), ...stoppers]);
    case "backing-off":
      return clear(state, state.process, next, stoppers);
    case "clearing": {
      const callers = [...state.callers, ...callerOf(state.next), ...stoppers];
      return unchanged({ ...state, next, callers });
    }
    case "launching": {
      const callers = [...state.callers, ...callerOf(state.next), ...stoppers];
      return unchanged({ ...state, isAbandoned: true, next, callers });
    }
  }
}

const callersOf = ({ caller }: { caller: Caller | undefined }): Caller[] =>
  caller === undefined ? [] : [caller];

function clear<P, H>(
  { server }: State<P, H>,
  process: P | undefined,
  target: Next<P, H> | undefined,
  callers: readonly Caller[],
): Moved<P, H> {
  return {
    state: { phase: "clearing", process, target, next: target, callers, server },
    effects: [{ type: "clear", process, target }],
  };
}

function afterClearing<P, H>(
  state: Extract<State<P, H>, { phase: "clearing" }>,
  event: Extract<Event<P, H>, { type: "cleared" | "clear-failed" }>,
): Moved<P, H> {
  const { target, next, callers } = state;
  const stopped = isOn(state.server)
    ? announce(state, { state: "stopped", ports: [] })
    : unchanged<P, H>(state);
  const { server } = stopped.state;
  const effects = [...stopped.effects];
  const ready = event.type === "cleared" ? event.ready : undefined;
  // A process that could not be ended has to be ended before anything else is started.
  const left = event.type === "clear-failed" ? state.process : ready;
  const then = (step: Moved<P, H>): Moved<P, H> => ({
    state: step.state,
    effects: [...effects, ...step.effects],
  });
  if (event.type === "clear-failed" && next === target) {
    const rejected = next ? callerOf(next) : callers;
    if (next && callers.length > 0)
      effects.push({ type: "answer", callers, server, isAdopted: false });
    if (rejected.length > 0)
      effects.push({ type: "reject", callers: rejected, error: event.error });
    return then(unchanged({ phase: "idle", last: left, server }));
  }
  if (callers.length > 0) effects.push({ type: "answer", callers, server, isAdopted: false });
  // The request has changed since the earlier server was stopped.
  if (next !== target) return then(clear(stopped.state, left, next, []));
  if (next === undefined) return then(unchanged({ phase: "idle", server }));
  return then(begin(next, ready));
}

const isOn = (server: ServerState | undefined): boolean =>
  server?.state === "up" || server?.state === "starting";

/** Called when everything earlier has been ended. */
function begin<P, H>(next: Next<P, H>, ready: P | undefined): Moved<P, H> {
  const { job } = next;
  const { command } = job;
  const restarts = next.kind === "restart" ? next.restarts : 0;
  const server: ServerState = { state: "starting", command, ports: [], restarts };
  if (next.kind === "adopt") {
    const { process, ports, since, at, caller } = next;
    const state: State<P, H> = {
      phase: "running",
      process,
      job,
      upAt: at,
      caller: undefined,
      server,
    };
    const up = announce(state, { state: "up", ports: [...ports], since });
    return {
      state: up.state,
      effects: [
        ...up.effects,
        { type: "answer", callers: [caller], server: up.state.server, isAdopted: true },
        { type: "watch", process, job, isUp: true, isAsked: false },
      ],
    };
  }
  const caller = next.kind === "start" ? next.caller : undefined;
  const state: State<P, H> = {
    phase: "launching",
    job,
    process: ready,
    restarts,
    caller,
    isAbandoned: false,
    next: undefined,
    callers: [],
    server,
  };
  return {
    state,
    effects: [
      { type: "announce", server },
      { type: "launch", job, ready },
    ],
  };
}

function afterLaunching<P, H>(
  state: Extract<State<P, H>, { phase: "launching" }>,
  event: Extract<Event<P, H>, { type: "launched" | "launch-failed" }>,
): Moved<P, H> {
  const { job, caller, callers, next, server } = state;
  const process = event.type === "launched" ? event.process : undefined;
  if (state.isAbandoned) return clear(state, process, next, [...callersOf(state), ...callers]);
  if (event.type === "launch-failed") {
    const rejected = callersOf(state);
    const rejection: Effect<P, H>[] =
      rejected.length > 0 ? [{ type: "reject", callers: rejected, error: event.error }] : [];
    // A server whose process cannot be started is not restarted.
    return announce(
      { phase: "idle", server },
      { state: "crashed", tail: event.message },
      ...rejection,
    );
  }
  return {
    state: { phase: "running", process: event.process, job, upAt: undefined, caller, server },
    effects: [
      { type: "watch", process: event.process, job, isUp: false, isAsked: caller !== undefined },
    ],
  };
}

function whileRunning<P, H>(
  state: Extract<State<P, H>, { phase: "running" }>,
  event: Extract<
    Event<P, H>,
    { type: "answered" | "watcher-waits" | "waited" | "aborted" | "ended" | "ports" }
  >,
): Moved<P, H> {
  const { process, server } = state;
  const isUp = state.upAt !== undefined;
  switch (event.type) {
    case "answered": {
      if (isUp) return unchanged(state);
      const { ports, since, at } = event;
      const up: State<P, H> = { ...state, upAt: at, caller: undefined };
      const change = { ports: [...ports], since, exitCode: undefined, tail: undefined };
      return answered(
        state,
        announce(up, { state: "up", ...change }, { type: "follow-ports", process }),
      );
    }
    case "watcher-waits": {
      if (isUp) return unchanged(state);
      // Its watcher is still running: the server may start once somebody changes a file.
      const { tail } = event;
      const waits: State<P, H> = { ...state, caller: undefined };
      return answered(state, announce(waits, { state: "crashed", ports: [], tail }));
    }
    case "waited": {
      if (server?.state !== "starting") return unchanged(state);
      const waited: State<P, H> = { ...state, caller: undefined };
      // The server may still come up, but the caller has waited long enough.
      const { ports, tail } = event;
      return answered(state, announce(waited, { state: "starting", ports: [...ports], tail }));
    }
    case "aborted":
      return state.caller === undefined ? unchanged(state) : replace(state, undefined);
    case "ended":
      return answered(state, afterEnd(state, event));
    case "ports": {
      if (!isUp || server === undefined || event.ports.length === 0) return unchanged(state);
      const known = server.ports.filter((port) => event.ports.includes(port));
      const ports = [...known, ...event.ports.filter((port) => !known.includes(port))];
      return ports.join() === server.ports.join() ? unchanged(state) : announce(state, { ports });
    }
  }
}

/** Adds the answer to the caller that waits for the server in `before`. */
function answered<P, H>(
  before: Extract<State<P, H>, { phase: "running" }>,
  step: Moved<P, H>,
): Moved<P, H> {
  const callers = callersOf(before);
  if (callers.length === 0) return step;
  return {
    state: step.state,
    effects: [
      ...step.effects,
      { type: "answer", callers, server: step.state.server, isAdopted: false },
    ],
  };
}

function afterEnd<P, H>(
  { process, job, upAt, server }: Extract<State<P, H>, { phase: "running" }>,
  { code, tail, at }: Extract<Event<P, H>, { type: "ended" }>,
): Moved<P, H> {
  // A server that ran well for a while starts with a new count of restarts.
  const isSteady = upAt !== undefined && at - upAt >= STEADY_MS;
  const restarts = isSteady ? 0 : (server?.restarts ?? 0);
  const crash: Partial<ServerState> = { state: "crashed", ports: [], exitCode: code, tail };
  // A server that never came up is not restarted; its caller receives the failure.
  if (upAt === undefined || restarts >= MAX_RESTARTS)
    return announce({ phase: "idle", last: process, server }, crash);
  const ms = BACK_OFF_MS * 2 ** restarts;
  return announce({ phase: "backing-off", process, job, restarts, server }, crash, {
    type: "sleep",
    ms,
    process,
  });
}

function lost<P, H>(state: State<P, H>): Moved<P, H> {
  // Starts and stops in progress report the loss themselves, and a start may continue in the next sandbox.
  if (state.phase === "launching") return unchanged(state);
  const idle: State<P, H> =
    state.phase === "clearing" ? state : { phase: "idle", server: state.server };
  const step =
    state.server && state.server.state !== "stopped"
      ? announce(idle, { state: "stopped", ports: [] })
      : unchanged(idle);
  return state.phase === "running" ? answered(state, step) : step;
}
