/**
 * When to reload the previewed page because it is out of date. `use-reload-when-stale.ts` carries out the effects.
 *
 * Invariants in every order of events (the tests generate random orders):
 * - A page that stays stale is reloaded, once per burst of changes.
 * - A page that is not stale is left alone.
 * - At most one timer runs, and none once the preview is detached.
 */
import type { Step } from "@treadle/protocol/lifecycle";
import type { ProjectView } from "../fold/types.ts";
import { isStale, loadedFrom, type LoadedFrom } from "./stale-preview.ts";

/**
 * A change reported within this time after the dev server connected may predate the connection, in milliseconds: a busy
 * machine reports changes up to a second late, and reloading a page that was loaded so recently costs little.
 */
export const LATE_MS = 1_500;

interface Shared {
  /** The latest view of the project. */
  readonly view: ProjectView;
  /** The state that the page was loaded from, or has since been updated to. */
  readonly loaded: LoadedFrom;
  /** Whether the page's dev server applies hot updates; undefined until known. */
  readonly hot: boolean | undefined;
  /** Whether the page shows something and has thrown nothing. */
  readonly sound: boolean;
  /** When the dev server connected; undefined while it is not. All times are on the clock of the events. */
  readonly hotSince: number | undefined;
  /** Time of the last hot update. */
  readonly updatedAt: number;
  /**
   * Why the page may lack a change: it was logged before the dev server connected, or so soon after that it may predate the
   * connection.
   */
  readonly missed: "before" | "late" | undefined;
}

type Phase =
  | { readonly kind: "resting" }
  /** The page is stale and reloads when the timer ends. `newest`: the state that it would then load. */
  | { readonly kind: "settling"; readonly newest: LoadedFrom }
  /** The preview is not mounted. A view attaches it again. */
  | { readonly kind: "detached" };

export type ReloadState = Shared & Phase;

/** `at`: milliseconds on a monotonic clock. */
export type ReloadEvent =
  | { readonly type: "view"; readonly view: ProjectView; readonly at: number }
  /** The state of the page in the frame. */
  | {
      readonly type: "frame";
      readonly hot: boolean | undefined;
      readonly sound: boolean;
      readonly at: number;
    }
  /** The dev server applied a hot update. */
  | { readonly type: "updated"; readonly at: number }
  /** The page was reloaded, for any reason. */
  | { readonly type: "reloaded"; readonly at: number }
  /** The timer has ended. */
  | { readonly type: "settled" }
  | { readonly type: "detach" };

export type ReloadEffect =
  /** Sends "settled" after a pause; restarts a running timer. */
  { readonly type: "start-timer" } | { readonly type: "stop-timer" } | { readonly type: "reload" };

type ReloadStep = Step<ReloadState, ReloadEffect>;

/** The state of a page just loaded from `view`, in a preview that is not attached yet. */
export const newReload = (view: ProjectView): ReloadState => ({
  kind: "detached",
  view,
  loaded: loadedFrom(view),
  hot: undefined,
  sound: true,
  hotSince: undefined,
  updatedAt: Number.NEGATIVE_INFINITY,
  missed: undefined,
});

/**
 * Returns the next state and its effects. Accepts every event in every state; an event that does not apply changes nothing.
 */
export function transition(state: ReloadState, event: ReloadEvent): ReloadStep {
  switch (event.type) {
    case "view": {
      const next = { ...state, view: event.view };
      return look(state.kind === "detached" ? enter(next, { kind: "resting" }) : next, event.at);
    }
    case "frame":
      return takeFrame(state, event);
    case "updated": {
      const missed = state.missed === "late" ? undefined : state.missed;
      return look({ ...state, missed, updatedAt: event.at }, event.at);
    }
    case "reloaded":
      return look(reloaded(state), event.at);
    case "settled":
      if (state.kind !== "settling") return { state, effects: [] };
      return {
        state: enter(reloaded(state), { kind: "resting" }),
        effects: [{ type: "reload" }],
      };
    case "detach":
      return rest(state, { kind: "detached" });
  }
}

function enter(state: ReloadState, phase: Phase): ReloadState {
  const { view, loaded, hot, sound, hotSince, updatedAt, missed } = state;
  return { view, loaded, hot, sound, hotSince, updatedAt, missed, ...phase };
}

/** Stops the timer and enters another phase. */
const rest = (state: ReloadState, phase: Phase = { kind: "resting" }): ReloadStep => ({
  state: enter(state, phase),
  effects: state.kind === "settling" ? [{ type: "stop-timer" }] : [],
});

const reloaded = (state: ReloadState): ReloadState => ({
  ...state,
  loaded: loadedFrom(state.view),
  missed: undefined,
  updatedAt: Number.NEGATIVE_INFINITY,
});

function takeFrame(state: ReloadState, event: ReloadEvent & { type: "frame" }): ReloadStep {
  const { hot, sound, at } = event;
  const isConnecting = hot === true && state.hotSince === undefined;
  const hasMissed = isConnecting && state.view.filesSeq > state.loaded.filesSeq;
  return look(
    {
      ...state,
      hot,
      sound,
      hotSince: hot ? (state.hotSince ?? at) : undefined,
      missed: hasMissed ? "before" : state.missed,
    },
    at,
  );
}

/** Compares the page with the latest view. */
function look(before: ReloadState, at: number): ReloadStep {
  if (before.kind === "detached") return { state: before, effects: [] };
  const state = markLoaded(noteLate(before, at));
  const { view, hot = true, sound, missed } = state;
  if (!isStale(view, state.loaded, { hot, sound, missed: missed !== undefined }))
    return rest(state);
  const newest = loadedFrom(view);
  if (state.kind === "settling" && isSame(newest, state.newest)) return { state, effects: [] };
  return { state: enter(state, { kind: "settling", newest }), effects: [{ type: "start-timer" }] };
}

function noteLate(state: ReloadState, at: number): ReloadState {
  const { hot, hotSince = 0, updatedAt, view, loaded, missed } = state;
  const mayBeLate = at - hotSince < LATE_MS && at - updatedAt > LATE_MS;
  const isLate = hot === true && mayBeLate && view.filesSeq > loaded.filesSeq;
  return isLate ? { ...state, missed: missed ?? "late" } : state;
}

/** A hot update counts as loaded, so the page need not be reloaded when the dev server stops. */
function markLoaded(state: ReloadState): ReloadState {
  const { hot, sound, missed, loaded, view } = state;
  if (!hot || !sound || missed !== undefined || view.filesSeq === loaded.filesSeq) return state;
  return { ...state, loaded: { ...loaded, filesSeq: view.filesSeq } };
}

const isSame = (one: LoadedFrom, other: LoadedFrom): boolean =>
  one.filesSeq === other.filesSeq && one.upSeq === other.upSeq && one.seen === other.seen;
