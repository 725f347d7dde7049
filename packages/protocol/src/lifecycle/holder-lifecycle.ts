/**
 * State machine of a resource that exists at most once (a project's workspace, its runtime, its
 * sandbox): opened on demand, ended, opened again. It may disappear by itself at any time. It is
 * called a workspace here.
 * Invariants; `holder-lifecycle.test.ts` checks them over random interleavings:
 * - A workspace is opened only if the previous one has ended or is gone, so there are never two.
 * - A workspace that was opened is ended before the holder is at rest after `close`.
 * - Every caller is answered exactly once, and nobody receives a workspace that is being ended.
 * - Every state can be left. In particular, a workspace that could not be ended is ended again at
 * the next request.
 */
import type { Step } from "./lifecycle.ts";

/** Identifies a caller that waits for an answer. */
export type Caller = number;

interface Request {
  readonly kind: "open" | "release";
  readonly caller: Caller;
}

type Phase<Workspace> =
  | { readonly phase: "empty" }
  /** `callers` have requested it. */
  | { readonly phase: "opening"; readonly callers: readonly Caller[] }
  | { readonly phase: "open"; readonly workspace: Workspace }
  /** `callers` have requested its end. */
  | {
      readonly phase: "ending";
      readonly workspace: Workspace;
      readonly callers: readonly Caller[];
      /** Whether it disappeared by itself meanwhile: then nothing is left to end, even if ending it fails. */
      readonly isGone?: boolean;
    }
  /** The workspace could not be ended, and parts of it may still run. */
  | { readonly phase: "stuck"; readonly workspace: Workspace };

/** The state of a holder: its phase, and waiting requests. */
export type HolderState<Workspace> = Phase<Workspace> & {
  /** Requests that follow once this phase has ended, in their order. */
  readonly waiting: readonly Request[];
  /** Whether the holder is closed and opens nothing any more. */
  readonly isClosed: boolean;
};

/** An event of a holder: a request, or the end of an effect. */
export type HolderEvent<Workspace> =
  | { readonly type: "open" | "release" | "close"; readonly caller: Caller }
  | { readonly type: "opened"; readonly workspace: Workspace }
  | { readonly type: "open-failed"; readonly error: unknown }
  /** The workspace is open, but must not be used. */
  | { readonly type: "opened-unfit"; readonly workspace: Workspace; readonly error: unknown }
  /** The workspace disappeared by itself. */
  | { readonly type: "gone"; readonly workspace: Workspace }
  | { readonly type: "ended" }
  | { readonly type: "end-failed"; readonly error: unknown };

/** An effect to be performed for a holder. */
export type HolderEffect<Workspace> =
  /** Results in `opened`, `open-failed` or `opened-unfit`. */
  | { readonly type: "open" }
  /** Results in `ended` or `end-failed`. */
  | { readonly type: "end"; readonly workspace: Workspace }
  | { readonly type: "give"; readonly callers: readonly Caller[]; readonly workspace: Workspace }
  | { readonly type: "confirm"; readonly callers: readonly Caller[] }
  /** `error` is undefined if the holder was closed. */
  | { readonly type: "refuse"; readonly callers: readonly Caller[]; readonly error: unknown };

/** The initial state. */
export const EMPTY_HOLDER: HolderState<never> = { phase: "empty", waiting: [], isClosed: false };

/** Whether there is a workspace, or will be without another request. */
export function isOpenOrOpening({ phase, waiting }: HolderState<unknown>): boolean {
  const last = waiting.at(-1);
  if (last) return last.kind === "open";
  // A workspace that could not be ended counts: the sweep of unused projects then tries again.
  return phase === "opening" || phase === "open" || phase === "stuck";
}

/** The transition of the state machine. Pure and total: an event that is impossible in a state changes nothing. */
export function holderTransition<Workspace>(
  state: HolderState<Workspace>,
  event: HolderEvent<Workspace>,
): Step<HolderState<Workspace>, HolderEffect<Workspace>> {
  switch (event.type) {
    case "open":
      if (state.isClosed)
        return { state, effects: [{ type: "refuse", callers: [event.caller], error: undefined }] };
      return request(state, { kind: "open", caller: event.caller });
    case "release":
      return request(state, { kind: "release", caller: event.caller });
    case "close": {
      const releases = state.waiting.filter(({ kind }) => kind === "release");
      const opens = state.waiting.filter(({ kind }) => kind === "open");
      const closed = { ...state, waiting: releases, isClosed: true };
      const step = request(closed, { kind: "release", caller: event.caller });
      return { ...step, effects: [...refusal(opens, undefined), ...step.effects] };
    }
    case "opened": {
      if (state.phase !== "opening") return { state, effects: [] };
      const { callers, waiting, isClosed } = state;
      const { workspace } = event;
      return follow({ phase: "open", workspace, waiting, isClosed }, [
        { type: "give", callers, workspace },
      ]);
    }
    case "open-failed": {
      if (state.phase !== "opening") return { state, effects: [] };
      const { callers, waiting, isClosed } = state;
      return follow({ phase: "empty", waiting, isClosed }, [
        { type: "refuse", callers, error: event.error },
      ]);
    }
    case "opened-unfit": {
      if (state.phase !== "opening") return { state, effects: [] };
      const { callers, waiting, isClosed } = state;
      const { workspace, error } = event;
      return {
        state: { phase: "ending", workspace, callers: [], waiting, isClosed },
        effects: [
          { type: "refuse", callers, error },
          { type: "end", workspace },
        ],
      };
    }
    case "gone": {
      if (!("workspace" in state) || state.workspace !== event.workspace)
        return { state, effects: [] };
      if (state.phase === "ending") return { state: { ...state, isGone: true }, effects: [] };
      const { waiting, isClosed } = state;
      return follow({ phase: "empty", waiting, isClosed }, []);
    }
    case "ended": {
      if (state.phase !== "ending") return { state, effects: [] };
      const { callers, waiting, isClosed } = state;
      return follow({ phase: "empty", waiting, isClosed }, [{ type: "confirm", callers }]);
    }
    case "end-failed": {
      if (state.phase !== "ending") return { state, effects: [] };
      const { callers, waiting, workspace, isClosed } = state;
      if (state.isGone)
        return follow({ phase: "empty", waiting, isClosed }, [{ type: "confirm", callers }]);
      const { error } = event;
      // Waiting callers are refused: automatic retries would continue as long as it fails.
      return {
        state: { phase: "stuck", workspace, waiting: [], isClosed },
        effects: [{ type: "refuse", callers, error }, ...refusal(waiting, error)],
      };
    }
  }
}

/** Adds a request to the phase that answers it, or queues it. */
function request<Workspace>(
  state: HolderState<Workspace>,
  asked: Request,
): Step<HolderState<Workspace>, HolderEffect<Workspace>> {
  const joins =
    state.waiting.length === 0 &&
    ((state.phase === "opening" && asked.kind === "open") ||
      (state.phase === "ending" && asked.kind === "release"));
  if (joins) return { state: { ...state, callers: [...state.callers, asked.caller] }, effects: [] };
  return follow({ ...state, waiting: [...state.waiting, asked] }, []);
}

/** Handles queued requests as far as this phase allows. */
function follow<Workspace>(
  before: HolderState<Workspace>,
  effects: readonly HolderEffect<Workspace>[],
): Step<HolderState<Workspace>, HolderEffect<Workspace>> {
  let state = before;
  const all = [...effects];
  for (;;) {
    const [next, ...waiting] = state.waiting;
    if (!next || state.phase === "opening" || state.phase === "ending") break;
    const { isClosed } = state;
    const callers = [next.caller];
    if (state.phase === "empty") {
      if (next.kind === "open") {
        all.push({ type: "open" });
        state = { phase: "opening", callers, waiting, isClosed };
      } else {
        all.push({ type: "confirm", callers });
        state = { phase: "empty", waiting, isClosed };
      }
      continue;
    }
    const { workspace } = state;
    if (next.kind === "open" && state.phase === "open") {
      all.push({ type: "give", callers, workspace });
      state = { ...state, waiting };
      continue;
    }
    all.push({ type: "end", workspace });
    state =
      next.kind === "release"
        ? { phase: "ending", workspace, callers, waiting, isClosed }
        : // It has to be gone before another one is opened.
          { phase: "ending", workspace, callers: [], waiting: state.waiting, isClosed };
  }
  return { state: joined(state), effects: all };
}

/** Adds the first queued requests to the phase that has just begun. */
function joined<Workspace>(state: HolderState<Workspace>): HolderState<Workspace> {
  if (state.phase !== "opening" && state.phase !== "ending") return state;
  const kind = state.phase === "opening" ? "open" : "release";
  const others = state.waiting.findIndex((one) => one.kind !== kind);
  const count = others === -1 ? state.waiting.length : others;
  const callers = [...state.callers, ...state.waiting.slice(0, count).map(({ caller }) => caller)];
  return { ...state, callers, waiting: state.waiting.slice(count) };
}

function refusal(requests: readonly Request[], error: unknown): HolderEffect<never>[] {
  if (requests.length === 0) return [];
  return [{ type: "refuse", callers: requests.map(({ caller }) => caller), error }];
}
