/**
 * The lifecycle of a published app: its sandbox is opened on demand, its process is started in it,
 * and both end when they are no longer used. `release-app.ts` carries out the effects.
 * Invariants under every order of events (the tests try random ones):
 * - Every request for the files, the app or its end gets exactly one answer.
 * - Nothing runs twice: a release never has a second sandbox unless the first is known to have
 * ended, and never a second start in the same sandbox.
 * - No process is left behind: a sandbox that opens after its end was requested is ended, and one
 * whose end failed is ended again before anything else is opened.
 * - Late events of an ended sandbox change nothing.
 * - Every state can be left.
 */
import type { Step } from "@treadle/protocol/lifecycle";

/** How long after a failed start requests do not start the app again, in milliseconds. */
export const RETRY_AFTER_MS = 10_000;

/** What was requested while a sandbox was ending. */
type Next = "nothing" | "files" | "app";

interface Shared {
  /** Number of the newest sandbox; unique. */
  readonly sandbox: number;
}

type Phase =
  /** There is no sandbox. `failedAt`: when the app failed to start, in milliseconds since 1970. */
  | { readonly kind: "asleep"; readonly failedAt: number | undefined }
  /**
   * The sandbox is being opened. `end`: whether it has to end as soon as it is open, and what
   * follows then.
   */
  | { readonly kind: "opening"; readonly isStarting: boolean; readonly end: Next | undefined }
  /** The sandbox is open without a process. */
  | { readonly kind: "open"; readonly failedAt: number | undefined }
  /** The process is being started. `isDown`: it has already exited again. */
  | { readonly kind: "starting"; readonly isDown: boolean }
  /** `at`: when it came up, in milliseconds since 1970. */
  | { readonly kind: "up"; readonly ports: readonly number[]; readonly at: number }
  /** The process exited by itself. It is restarted by the sandbox, or by the next request. */
  | { readonly kind: "down" }
  | { readonly kind: "ending"; readonly next: Next }
  /** The sandbox failed to end, so it may still exist. */
  | { readonly kind: "stuck" };

export type AppState = Shared & Phase;

/** `at`: milliseconds since 1970. `sandbox`: the number of the sandbox that reports. */
export type AppEvent =
  /** A request for its files. */
  | { readonly type: "open" }
  /** A request for the app. */
  | { readonly type: "start"; readonly at: number }
  | { readonly type: "sleep" }
  | { readonly type: "opened"; readonly sandbox: number }
  | {
      readonly type: "open-failed";
      readonly sandbox: number;
      readonly at: number;
      readonly error: unknown;
    }
  | {
      readonly type: "started";
      readonly sandbox: number;
      readonly at: number;
      readonly ports: readonly number[];
    }
  | {
      readonly type: "start-failed";
      readonly sandbox: number;
      readonly at: number;
      readonly error: unknown;
    }
  /** The app responds, also after the sandbox restarted it by itself. */
  | {
      readonly type: "server-up";
      readonly sandbox: number;
      readonly at: number;
      readonly ports: readonly number[];
    }
  | { readonly type: "server-down"; readonly sandbox: number }
  /** The sandbox ended by itself. The next request opens it again. */
  | { readonly type: "lost"; readonly sandbox: number }
  | { readonly type: "ended"; readonly sandbox: number }
  | { readonly type: "end-failed"; readonly sandbox: number; readonly error: unknown };

/** Why a request was refused; `failed` carries the error. */
export type Refusal =
  /** The app failed to start less than `RETRY_AFTER_MS` ago. */
  | { readonly why: "failed-before" }
  /** The end of the app was requested meanwhile. */
  | { readonly why: "ended" }
  /** The app exited as soon as it was up. */
  | { readonly why: "crashed" }
  | { readonly why: "failed"; readonly error: unknown };

export type AppEffect =
  | { readonly type: "open"; readonly sandbox: number }
  | { readonly type: "start"; readonly sandbox: number }
  | { readonly type: "end"; readonly sandbox: number }
  /** Answers all requests for the files. */
  | { readonly type: "give-files"; readonly sandbox: number }
  | { readonly type: "refuse-files"; readonly refusal: Refusal }
  /** Answers all requests for the app. */
  | { readonly type: "give-app" }
  | { readonly type: "refuse-app"; readonly refusal: Refusal }
  /** Answers all requests for its end. */
  | { readonly type: "tell-end" }
  | { readonly type: "refuse-end"; readonly error: unknown };

type AppStep = Step<AppState, AppEffect>;

export const ASLEEP: AppState = { kind: "asleep", sandbox: 0, failedAt: undefined };

/**
 * Returns the next state and the effects. Accepts every event in every state; one that does not
 * apply changes nothing.
 */
export function transition(state: AppState, event: AppEvent): AppStep {
  switch (event.type) {
    case "open":
      return open(state);
    case "start":
      return start(state, event.at);
    case "sleep":
      return sleep(state);
  }
  // A report of an earlier sandbox is ignored.
  if (event.sandbox !== state.sandbox) return same(state);
  switch (event.type) {
    case "opened":
      return takeOpened(state);
    case "open-failed":
      return takeOpenFailure(state, event);
    case "started":
      return takeStarted(state, event);
    case "start-failed":
      if (state.kind !== "starting") return same(state);
      return {
        state: enter(state, { kind: "open", failedAt: event.at }),
        effects: [{ type: "refuse-app", refusal: { why: "failed", error: event.error } }],
      };
    case "server-up": {
      const { at, ports } = event;
      if (state.kind === "starting") return same({ ...state, isDown: false });
      if (state.kind === "up") return same({ ...state, ports });
      return same(state.kind === "down" ? enter(state, { kind: "up", at, ports }) : state);
    }
    case "server-down":
      if (state.kind === "starting") return same({ ...state, isDown: true });
      return same(state.kind === "up" ? enter(state, { kind: "down" }) : state);
    case "lost":
      if (state.kind === "starting") return same({ ...state, isDown: true });
      return same(isUpOrDown(state) ? enter(state, { kind: "open", failedAt: undefined }) : state);
    case "ended":
      return takeEnded(state);
    case "end-failed":
      return takeEndFailure(state, event.error);
  }
}

const same = (state: AppState): AppStep => ({ state, effects: [] });

const enter = ({ sandbox }: Shared, phase: Phase): AppState => ({ sandbox, ...phase });

const isUpOrDown = ({ kind }: AppState) => kind === "up" || kind === "down";

/** The number of the sandbox that is open, or undefined. */
export function sandboxOf({ kind, sandbox }: AppState): number | undefined {
  const isOpen = kind === "open" || kind === "starting" || kind === "up" || kind === "down";
  return isOpen ? sandbox : undefined;
}

function open(state: AppState): AppStep {
  switch (state.kind) {
    case "asleep":
      return beginOpening(state, false);
    case "opening":
      return same(state.end === "nothing" ? { ...state, end: "files" } : state);
    case "ending":
      return same(state.next === "nothing" ? { ...state, next: "files" } : state);
    case "stuck":
      return beginEnding(state, "files");
    default:
      return { state, effects: [{ type: "give-files", sandbox: state.sandbox }] };
  }
}

function start(state: AppState, at: number): AppStep {
  switch (state.kind) {
    case "asleep":
      return hasJustFailed(state, at) ? refuseFailed(state) : beginOpening(state, true);
    case "opening":
      return same(
        state.end === undefined ? { ...state, isStarting: true } : { ...state, end: "app" },
      );
    case "open":
      return hasJustFailed(state, at) ? refuseFailed(state) : beginStarting(state);
    case "down":
      return beginStarting(state);
    case "starting":
      return same(state);
    case "up":
      return { state, effects: [{ type: "give-app" }] };
    case "ending":
      return same({ ...state, next: "app" });
    case "stuck":
      return beginEnding(state, "app");
  }
}

const hasJustFailed = ({ failedAt }: { readonly failedAt: number | undefined }, at: number) =>
  failedAt !== undefined && at - failedAt < RETRY_AFTER_MS;

const refuseFailed = (state: AppState): AppStep => ({
  state,
  effects: [{ type: "refuse-app", refusal: { why: "failed-before" } }],
});

/** Refuses the requests that are waiting when an end is requested. Later ones wait for the next sandbox. */
const REFUSE_WAITING: readonly AppEffect[] = [
  { type: "refuse-files", refusal: { why: "ended" } },
  { type: "refuse-app", refusal: { why: "ended" } },
];

function sleep(state: AppState): AppStep {
  switch (state.kind) {
    case "asleep":
      return {
        state: enter(state, { kind: "asleep", failedAt: undefined }),
        effects: [{ type: "tell-end" }],
      };
    case "opening":
      return { state: { ...state, isStarting: false, end: "nothing" }, effects: REFUSE_WAITING };
    case "ending":
      return { state: { ...state, next: "nothing" }, effects: REFUSE_WAITING };
    default: {
      const { state: next, effects } = beginEnding(state, "nothing");
      return { state: next, effects: [...REFUSE_WAITING, ...effects] };
    }
  }
}

function beginOpening(state: AppState, isStarting: boolean): AppStep {
  const sandbox = state.sandbox + 1;
  return {
    state: { kind: "opening", sandbox, isStarting, end: undefined },
    effects: [{ type: "open", sandbox }],
  };
}

const beginStarting = (state: AppState): AppStep => ({
  state: enter(state, { kind: "starting", isDown: false }),
  effects: [{ type: "start", sandbox: state.sandbox }],
});

const beginEnding = (state: AppState, next: Next): AppStep => ({
  state: enter(state, { kind: "ending", next }),
  effects: [{ type: "end", sandbox: state.sandbox }],
});

function takeOpened(state: AppState): AppStep {
  if (state.kind !== "opening") return same(state);
  if (state.end !== undefined) return beginEnding(state, state.end);
  const give: AppEffect = { type: "give-files", sandbox: state.sandbox };
  if (!state.isStarting)
    return { state: enter(state, { kind: "open", failedAt: undefined }), effects: [give] };
  const { state: next, effects } = beginStarting(state);
  return { state: next, effects: [give, ...effects] };
}

function takeOpenFailure(
  state: AppState,
  { at, error }: AppEvent & { type: "open-failed" },
): AppStep {
  if (state.kind !== "opening") return same(state);
  // There is nothing to end.
  if (state.end !== undefined) return takeEnded(enter(state, { kind: "ending", next: state.end }));
  const refusal: Refusal = { why: "failed", error };
  return {
    state: enter(state, { kind: "asleep", failedAt: state.isStarting ? at : undefined }),
    effects: [
      { type: "refuse-files", refusal },
      { type: "refuse-app", refusal },
    ],
  };
}

function takeStarted(state: AppState, { at, ports }: AppEvent & { type: "started" }): AppStep {
  if (state.kind !== "starting") return same(state);
  if (state.isDown)
    return {
      state: enter(state, { kind: "down" }),
      effects: [{ type: "refuse-app", refusal: { why: "crashed" } }],
    };
  return { state: enter(state, { kind: "up", at, ports }), effects: [{ type: "give-app" }] };
}

function takeEnded(state: AppState): AppStep {
  if (state.kind !== "ending") return same(state);
  const notice: AppEffect = { type: "tell-end" };
  if (state.next === "nothing")
    return { state: enter(state, { kind: "asleep", failedAt: undefined }), effects: [notice] };
  const { state: next, effects } = beginOpening(state, state.next === "app");
  return { state: next, effects: [notice, ...effects] };
}

function takeEndFailure(state: AppState, error: unknown): AppStep {
  if (state.kind !== "ending") return same(state);
  const refusal: Refusal = { why: "failed", error };
  return {
    state: enter(state, { kind: "stuck" }),
    effects: [
      { type: "refuse-end", error },
      { type: "refuse-files", refusal },
      { type: "refuse-app", refusal },
    ],
  };
}
