import { checkInterleavings, type World } from "@treadle/protocol/testing";
import { expect, it } from "vitest";
import { emptyView } from "../fold/fold.ts";
import type { ProjectView } from "../fold/types.ts";
import { evidenceOf } from "../fold/log.test-support.ts";
import {
  LATE_MS,
  newReload,
  transition,
  type ReloadEffect,
  type ReloadEvent,
  type ReloadState,
} from "./reload-transitions.ts";
import { isStale } from "./stale-preview.ts";

const UP: ProjectView = {
  ...emptyView(),
  upSeq: 1,
  server: { state: "up", command: "npm run dev", ports: [5173], restarts: 0 },
};

/** A project that changes, a page that loads and updates, and a person who reloads it, in any order. */
function reloadWorld(): World<ReloadState, ReloadEvent, ReloadEffect> {
  let view = UP;
  let seq = 1;
  let at = 10 * LATE_MS;
  let timer: symbol | undefined;
  let isAttached = false;
  const change = (changes: () => Partial<ProjectView>) => (): ReloadEvent | undefined => {
    view = { ...view, ...changes() };
    return isAttached ? { type: "view", view, at } : undefined;
  };
  const frame = (hot: boolean | undefined, sound: boolean) => (): ReloadEvent => ({
    type: "frame",
    hot,
    sound,
    at,
  });
  const attach = (): ReloadEvent => {
    isAttached = true;
    return { type: "view", view, at };
  };
  const stale = ({ loaded, hot = true, sound, missed }: ReloadState) =>
    isStale(view, loaded, { hot, sound, missed: missed !== undefined });
  return {
    initial: newReload(view),
    transition,
    perform(effect) {
      if (effect.type === "stop-timer") {
        if (timer === undefined) throw new Error("stopped a timer that does not run");
        timer = undefined;
        return [];
      }
      if (!isAttached) throw new Error(`${effect.type} while the preview is detached`);
      if (effect.type === "reload") return [() => ({ type: "reloaded", at })];
      const started = Symbol("timer");
      timer = started;
      return [
        () => {
          if (timer !== started) return undefined;
          timer = undefined;
          return { type: "settled" };
        },
      ];
    },
    offers: () => [
      change(() => ({ filesSeq: ++seq })),
      change(() => ({ upSeq: ++seq })),
      change(() => ({ run: "r" })),
      change(() => ({ run: undefined })),
      change(() => ({ evidence: evidenceOf(`v${++seq}`, "failed") })),
      change(() => ({ evidence: evidenceOf(`v${++seq}`, "held") })),
      change(() => ({ server: { ...UP.server!, state: "starting" } })),
      change(() => ({ server: UP.server! })),
      frame(true, true),
      frame(false, true),
      frame(true, false),
      frame(undefined, true),
      () => ({ type: "updated", at }),
      () => ({ type: "reloaded", at }),
      () => void (at += LATE_MS + 1),
      attach,
      () => {
        isAttached = false;
        return { type: "detach" };
      },
    ],
    check(state) {
      if ((state.kind === "settling") !== (timer !== undefined))
        throw new Error(`is ${state.kind}, and ${timer ? "a" : "no"} timer runs`);
      if (!isAttached) return;
      if (stale(state) !== (state.kind === "settling"))
        throw new Error(`is ${stale(state) ? "" : "not "}stale, and ${state.kind}`);
    },
    closing: [attach, change(() => ({ run: undefined, server: UP.server! }))],
    checkAtEnd(state) {
      if (stale(state)) throw new Error("the page stays stale");
    },
    anyEvents: [{ type: "settled" }, { type: "detach" }, { type: "updated", at: 0 }],
  };
}

it("reloads every stale page and no other, in random interleavings", () => {
  checkInterleavings(reloadWorld);
});

/** The effects of the last of these events, in an attached preview. */
function after(...events: ReloadEvent[]): string[] {
  let state = transition(newReload(UP), { type: "view", view: UP, at: 0 }).state;
  let effects: readonly ReloadEffect[] = [];
  for (const event of events) ({ state, effects } = transition(state, event));
  return effects.map(({ type }) => type);
}
const seen = (changes: Partial<ProjectView>): ReloadEvent => ({
  type: "view",
  view: { ...UP, ...changes },
  at: 0,
});

it("waits again if a run started while it waited, even if the run changed nothing", () => {
  const changed = { filesSeq: 2 };
  const cold: ReloadEvent = { type: "frame", hot: false, sound: true, at: 0 };
  expect(after(cold, seen(changed))).toEqual(["start-timer"]);
  expect(after(cold, seen(changed), seen({ ...changed, run: "r" }))).toEqual(["stop-timer"]);
  expect(after(cold, seen(changed), seen({ ...changed, run: "r" }), seen(changed))).toEqual([
    "start-timer",
  ]);
});

it("waits once for a burst of changes, from the last of them", () => {
  const cold: ReloadEvent = { type: "frame", hot: false, sound: true, at: 0 };
  const burst = [cold, seen({ filesSeq: 2 }), seen({ filesSeq: 3 })];
  expect(after(...burst)).toEqual(["start-timer"]);
  expect(after(...burst, seen({ filesSeq: 3, evidenceAt: 7 }))).toEqual([]);
  expect(after(...burst, { type: "settled" })).toEqual(["reload"]);
});

it("needs no timer after the user reloaded the page", () => {
  const cold: ReloadEvent = { type: "frame", hot: false, sound: true, at: 0 };
  expect(after(cold, seen({ filesSeq: 2 }), { type: "reloaded", at: 0 })).toEqual(["stop-timer"]);
});

it("counts a change soon after the dev server's update as missed, because it may be older", () => {
  const hot: ReloadEvent = { type: "frame", hot: true, sound: true, at: 0 };
  const changed = { ...UP, filesSeq: 2 };
  const soon: ReloadEvent = { type: "view", view: changed, at: LATE_MS - 1 };
  expect(after(hot, soon)).toEqual(["start-timer"]);
  expect(after(hot, soon, { type: "updated", at: LATE_MS - 1 })).toEqual(["stop-timer"]);
  expect(after(hot, { ...soon, at: LATE_MS })).toEqual([]);
});
