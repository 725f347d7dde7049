/**
 * The lifecycle of a language server in the page: connecting, restarting, sleeping. `LanguageServer` carries out the
 * effects.
 *
 * Invariants in every order of events (the tests generate random orders):
 * - There is at most one connection, and at most one delay.
 * - Without users there is no connection and no delay.
 * - With users, the server is on its way to being ready, asleep until the person continues, or failed.
 * - Events of an earlier connection change nothing.
 */
import type { Step } from "@treadle/protocol/lifecycle";
import type { LineEnd } from "./server-line.ts";

/** Delays before restarting a server that exited; after the last one, it restarts only at the person's request. */
const RESTART_MS = [500, 4_000, 20_000];
/** Delay before reconnecting after Treadle's server closed the connection and asked for another. */
const RECONNECT_MS = 1_500;
/** A server that ran this long did not exit because of a failed start, so the delays begin again. */
const STEADY_MS = 5 * 60_000;

type Phase =
  | { readonly kind: "off" }
  /** The connection is open, or being opened; the language server has not answered yet. */
  | { readonly kind: "starting" }
  /** `since`: when it answered, in milliseconds. */
  | { readonly kind: "ready"; readonly since: number }
  /** The server exited, and is started again after a delay. */
  | { readonly kind: "waiting" }
  /** The project sleeps; the server starts with the person's next action. */
  | { readonly kind: "asleep" }
  /** The server failed, and starts again only at the person's request. */
  | { readonly kind: "failed"; readonly problem: string | undefined };

export type ServerState = Phase & {
  /** Number of editors and searches that use it. */
  readonly users: number;
  /** Number of exits since it last ran steadily. */
  readonly failures: number;
  /** Number of the latest connection. */
  readonly line: number;
};

export type ServerEvent =
  | { readonly type: "use" | "leave" | "wake" | "retry" | "waited" }
  /** The connection to the language server is open, and it can be initialized. */
  | { readonly type: "connected"; readonly line: number; readonly root: string }
  /** `at`: the time, in milliseconds. */
  | { readonly type: "initialized"; readonly line: number; readonly at: number }
  | { readonly type: "not-initialized"; readonly line: number; readonly at: number }
  | {
      readonly type: "ended";
      readonly line: number;
      readonly end: LineEnd;
      readonly problem?: string | undefined;
      readonly at: number;
    };

export type ServerEffect =
  | { readonly type: "open"; readonly line: number }
  /** Closes the connection and disconnects the client. */
  | { readonly type: "close" }
  | { readonly type: "initialize"; readonly line: number; readonly root: string }
  | { readonly type: "wait"; readonly ms: number }
  | { readonly type: "stop-waiting" };

export const NEW_SERVER: ServerState = { kind: "off", users: 0, failures: 0, line: 0 };

type Result = Step<ServerState, ServerEffect>;

export function transition(state: ServerState, event: ServerEvent): Result {
  switch (event.type) {
    case "use":
      return wake({ ...state, users: state.users + 1 });
    case "leave": {
      const users = Math.max(0, state.users - 1);
      return users === 0 ? stop({ ...state, users }) : unchanged({ ...state, users });
    }
    case "wake":
      return wake(state);
    case "retry":
      return retry(state);
    case "waited":
      return state.kind === "waiting" ? open(state) : unchanged(state);
    case "connected":
      if (event.line !== state.line || state.kind !== "starting") return unchanged(state);
      return {
        state,
        effects: [{ type: "initialize", line: event.line, root: event.root }],
      };
    case "initialized":
      if (event.line !== state.line || state.kind !== "starting") return unchanged(state);
      return unchanged({ ...state, kind: "ready", since: event.at });
    case "not-initialized":
      if (event.line !== state.line) return unchanged(state);
      return ended(state, { end: "ended", problem: undefined, at: event.at });
    case "ended":
      return event.line === state.line ? ended(state, event) : unchanged(state);
  }
}

const unchanged = (state: ServerState): Result => ({ state, effects: [] });

function open(state: ServerState): Result {
  const line = state.line + 1;
  const { users, failures } = state;
  return { state: { kind: "starting", users, failures, line }, effects: [{ type: "open", line }] };
}

/** Starts a server that is off or asleep and has users; a failed one stays stopped. */
function wake(state: ServerState): Result {
  const canOpen = state.users > 0 && (state.kind === "off" || state.kind === "asleep");
  return canOpen ? open(state) : unchanged(state);
}

function retry(state: ServerState): Result {
  if (state.kind === "starting" || state.kind === "ready") return unchanged(state);
  const { users, line } = state;
  const effects: ServerEffect[] = state.kind === "waiting" ? [{ type: "stop-waiting" }] : [];
  if (users === 0) return { state: { kind: "off", users, failures: 0, line }, effects };
  const opened = open({ ...state, failures: 0 });
  return { state: opened.state, effects: [...effects, ...opened.effects] };
}

/** Stops a server after its last user has left. A failed or sleeping server stays in its state for the next user. */
function stop(state: ServerState): Result {
  if (state.kind === "failed" || state.kind === "asleep") return unchanged(state);
  const { users, failures, line } = state;
  const effects: ServerEffect[] =
    state.kind === "waiting"
      ? [{ type: "stop-waiting" }]
      : state.kind === "off"
        ? []
        : [{ type: "close" }];
  return { state: { kind: "off", users, failures, line }, effects };
}

function ended(
  state: ServerState,
  { end, problem, at }: { end: LineEnd; problem?: string | undefined; at: number },
): Result {
  if (state.kind !== "starting" && state.kind !== "ready") return unchanged(state);
  const { users, line } = state;
  const close: ServerEffect = { type: "close" };
  const isSteady = state.kind === "ready" && at - state.since > STEADY_MS;
  const failures = isSteady ? 0 : state.failures;
  if (end === "asleep")
    return { state: { kind: "asleep", users, failures, line }, effects: [close] };
  const ms = end === "again" ? RECONNECT_MS : end === "refused" ? undefined : RESTART_MS[failures];
  if (ms === undefined)
    return { state: { kind: "failed", users, failures, line, problem }, effects: [close] };
  return {
    state: { kind: "waiting", users, failures: end === "again" ? failures : failures + 1, line },
    effects: [close, { type: "wait", ms }],
  };
}
