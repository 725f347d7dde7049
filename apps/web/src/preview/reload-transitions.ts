/**
 * When the previewed page is loaded again because it shows what is not there any more. `use-reload-when-stale.ts` carries
 * out the effects.
 *
 * What holds in every order of events (the tests drive them at random):
 * - A page that stays stale is loaded again, once for a burst of changes.
 * - A page that is not stale is left alone.
 * - At most one timer runs, and none once the preview is detached.
 */
import type { Step } from "@treadle/protocol/lifecycle";
import type { ProjectView } from "../fold/types.ts";
import { isStale, loadedFrom, type LoadedFrom } from "./stale-preview.ts";

/**
 * A change that arrives within this long after a dev server was connected may have been written before, in milliseconds: a
 * busy machine reports a change a second late, and loading a page again that was loaded so shortly before costs little.
 */
export const LATE_MS = 1_500;

interface Shared {
  /** The newest view of the project. */
  readonly view: ProjectView;
  /** What the page was loaded from, or has taken in since. */
  readonly loaded: LoadedFrom;
  /** Whether the page's dev server brings changes into it; undefined until that is known. */
  readonly hot: boolean | undefined;
  /** Whether the page shows something and threw nothing. */
  readonly sound: boolean;
  /** When the dev server was connected; undefined while it is not. On the clock of the events, as all times here. */
  readonly hotSince: number | undefined;
  /** When the dev server last brought a change into the page. */
  readonly updatedAt: number;
  /**
   * Why the page may lack a change: the log had it before the dev server was connected, or so shortly after that it may have
   * been made before.
   */
  readonly missed: "before" | "late" | undefined;
}

type Phase =
  | { readonly kind: "resting" }
  /** The page is stale, and is loaded again when the timer ends. `newest`: what it would have been loaded from then. */
  | { readonly kind: "settling"; readonly newest: LoadedFrom }
  /** The preview is not on the page. A view attaches it again. */
  | { readonly kind: "detached" };

export type ReloadState = Shared & Phase;

/** `at`: milliseconds on a monotonic clock. */
export type ReloadEvent =
  | { readonly type: "view"; readonly view: ProjectView; readonly at: number }
  /** What is known of the page in the frame. */
  | {
      readonly type: "frame";
      readonly hot: boolean | undefined;
      readonly sound: boolean;
      readonly at: number;
    }
  /** The dev server has brought a change into the page. */
  | { readonly type: "updated"; readonly at: number }
  /** The page is loaded again, for whatever reason. */
  | { readonly type: "reloaded"; readonly at: number }
  /** The timer has ended. */
  | { readonly type: "settled" }
  | { readonly type: "detach" };

export type ReloadEffect =
  /** Sends "settled" after a pause; starts anew if it runs already. */
  { readonly type: "start-timer" } | { readonly type: "stop-timer" } | { readonly type: "reload" };

type ReloadStep = Step<ReloadState, ReloadEffect>;

/** A page that was loaded from `view` just now, in a preview that is not attached yet. */
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

/** The next state and what is to be done. Takes every event in every state; one that does not apply changes nothing. */
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

/** Leaves the timer for another phase. */
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

/** Compares the page with the newest view. */
function look(before: ReloadState, at: number): ReloadStep {
  if (before.kind === "detached") return { state: before, effects: [] };
  const state = takeIn(noteLate(before, at));
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

/** What the dev server brought in need not be loaded again when that server goes. */
function takeIn(state: ReloadState): ReloadState {
  const { hot, sound, missed, loaded, view } = state;
  if (!hot || !sound || missed !== undefined || view.filesSeq === loaded.filesSeq) return state;
  return { ...state, loaded: { ...loaded, filesSeq: view.filesSeq } };
}

const isSame = (one: LoadedFrom, other: LoadedFrom): boolean =>
  one.filesSeq === other.filesSeq && one.upSeq === other.upSeq && one.seen === other.seen;
