/**
 * The life of a data folder's PostgreSQL server as a state machine: prepared and started for the first who asks for it,
 * stopped when nobody has used it for a while, started again.
 *
 * | state     | on `ask`          | on the end of what is under way                     | on `ended`  |
 * | --------- | ----------------- | --------------------------------------------------- | ----------- |
 * | absent    | → preparing       |                                                     |             |
 * | preparing | waits             | prepared → starting, prepare-failed → failed        |             |
 * | starting  | waits             | started → up, start-failed → failed                 |             |
 * | up        | granted           | `idle` with no lease → stopping                     | → absent    |
 * | stopping  | waits             | stopped → absent, or → preparing for those who wait |             |
 * | failed    | refused, at once  | `retry` → absent                                    |             |
 *
 * Invariants; `server-lifecycle.test.ts` checks them over random interleavings:
 * - There are never two servers, and one is started only after everything was prepared for it.
 * - Every caller is answered exactly once; whoever is granted a lease finds a server that is up.
 * - A server that somebody holds a lease of is not stopped, except by `close`.
 * - After `close` nothing runs and nothing is started, whatever was under way.
 */
import type { Step } from "@treadle/protocol/lifecycle";

/** Identifies a caller that waits for an answer. */
export type Caller = number;

type Phase =
  | { readonly phase: "absent" }
  | { readonly phase: "preparing" | "starting" | "stopping"; readonly callers: readonly Caller[] }
  | { readonly phase: "up" }
  /** It could not be prepared or started. Further requests are refused immediately with the reason. */
  | { readonly phase: "failed"; readonly error: unknown };

export type ServerState = Phase & {
  /** The number of active leases. Holders return their leases even if the server has died. */
  readonly leases: number;
  /** Callers of `close`, waiting for everything to end. Undefined: not closed. */
  readonly closers: readonly Caller[] | undefined;
};

export type ServerEvent =
  | { readonly type: "ask" | "close"; readonly caller: Caller }
  | { readonly type: "give-back" }
  | { readonly type: "prepared" | "started" | "stopped" }
  | { readonly type: "prepare-failed" | "start-failed"; readonly error: unknown }
  /** The server has died. */
  | { readonly type: "ended" }
  /** Nobody has used it for `IDLE_MS`. */
  | { readonly type: "idle" }
  /** Another attempt is allowed. */
  | { readonly type: "retry" };

export type ServerEffect =
  /** Results in `prepared` or `prepare-failed`. */
  | { readonly type: "prepare" }
  /** Results in `started` or `start-failed`; `ended` follows when a started server dies. */
  | { readonly type: "start" }
  /** Results in `stopped`. */
  | { readonly type: "stop" }
  | { readonly type: "grant"; readonly callers: readonly Caller[] }
  | { readonly type: "refuse"; readonly callers: readonly Caller[]; readonly error: unknown }
  | { readonly type: "confirm"; readonly callers: readonly Caller[] }
  /** Results in `idle` after a delay, unless another of these effects comes first. */
  | { readonly type: "await-idle" }
  /** Results in `retry` after a delay. */
  | { readonly type: "await-retry" };

export const NO_POSTGRES: ServerState = { phase: "absent", leases: 0, closers: undefined };

/** The reason for requests after `close`. */
export const CLOSED = new Error("Treadle is ending.");

type Moved = Step<ServerState, ServerEffect>;

/** Pure and total: an event that is impossible in a state changes nothing. */
export function serverTransition(state: ServerState, event: ServerEvent): Moved {
  switch (event.type) {
    case "ask":
      return ask(state, event.caller);
    case "close":
      return close(state, event.caller);
    case "give-back": {
      const leases = Math.max(0, state.leases - 1);
      const isIdle = leases === 0 && state.leases > 0 && state.phase === "up";
      return moved({ ...state, leases }, ...(isIdle ? [{ type: "await-idle" } as const] : []));
    }
    case "prepared":
      if (state.phase !== "preparing") return moved(state);
      if (state.closers) return atRest(state);
      return moved({ ...state, phase: "starting" }, { type: "start" });
    case "started":
      return state.phase === "starting" ? started(state, state.callers) : moved(state);
    case "prepare-failed":
      return state.phase === "preparing" ? failed(state, event.error) : moved(state);
    case "start-failed":
      return state.phase === "starting" ? failed(state, event.error) : moved(state);
    case "ended":
      return state.phase === "up" ? atRest(state) : moved(state);
    case "idle":
      if (state.phase !== "up" || state.leases > 0) return moved(state);
      return moved({ ...shared(state), phase: "stopping", callers: [] }, { type: "stop" });
    case "stopped":
      return state.phase === "stopping" ? stopped(state, state.callers) : moved(state);
    case "retry":
      return state.phase === "failed" ? atRest(state) : moved(state);
  }
}

function ask(state: ServerState, caller: Caller): Moved {
  if (state.closers) return moved(state, { type: "refuse", callers: [caller], error: CLOSED });
  switch (state.phase) {
    case "absent":
      return moved(
        { ...shared(state), phase: "preparing", callers: [caller] },
        { type: "prepare" },
      );
    case "preparing":
    case "starting":
    case "stopping":
      return moved({ ...state, callers: [...state.callers, caller] });
    case "up":
      return moved({ ...state, leases: state.leases + 1 }, { type: "grant", callers: [caller] });
    case "failed":
      return moved(state, { type: "refuse", callers: [caller], error: state.error });
  }
}

function close(state: ServerState, caller: Caller): Moved {
  const closing = { ...state, closers: [...(state.closers ?? []), caller] };
  switch (closing.phase) {
    case "absent":
    case "failed":
      return atRest(closing);
    case "up":
      return moved({ ...shared(closing), phase: "stopping", callers: [] }, { type: "stop" });
    case "preparing":
    case "starting":
    case "stopping":
      // Callers that wait for a server are refused.
      return moved({ ...closing, callers: [] }, ...refusing(closing.callers, CLOSED));
  }
}

function started(state: ServerState, callers: readonly Caller[]): Moved {
  if (state.closers)
    return moved({ ...shared(state), phase: "stopping", callers: [] }, { type: "stop" });
  const leases = state.leases + callers.length;
  return moved(
    { ...shared(state), phase: "up", leases },
    ...(callers.length > 0 ? [{ type: "grant", callers } as const] : []),
    ...(leases === 0 ? [{ type: "await-idle" } as const] : []),
  );
}

function failed(state: Extract<ServerState, { callers: unknown }>, error: unknown): Moved {
  const refusals = refusing(state.callers, error);
  if (state.closers) return atRest(state, ...refusals);
  return moved({ ...shared(state), phase: "failed", error }, ...refusals, {
    type: "await-retry",
  });
}

function stopped(state: ServerState, callers: readonly Caller[]): Moved {
  if (state.closers || callers.length === 0) return atRest(state);
  return moved({ ...shared(state), phase: "preparing", callers }, { type: "prepare" });
}

/** The state in which nothing runs and nothing is pending. */
function atRest(state: ServerState, ...effects: ServerEffect[]): Moved {
  const { leases, closers } = state;
  if (!closers) return moved({ phase: "absent", leases, closers }, ...effects);
  const confirmed: ServerEffect[] =
    closers.length > 0 ? [{ type: "confirm", callers: closers }] : [];
  return moved({ phase: "absent", leases, closers: [] }, ...effects, ...confirmed);
}

const moved = (state: ServerState, ...effects: ServerEffect[]): Moved => ({ state, effects });

const shared = ({ leases, closers }: ServerState) => ({ leases, closers });

const refusing = (callers: readonly Caller[], error: unknown): ServerEffect[] =>
  callers.length > 0 ? [{ type: "refuse", callers, error }] : [];
