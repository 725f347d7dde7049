import { expect, test, vi } from "vitest";
import { createStore } from "zustand/vanilla";
import type { ProjectView } from "../fold/types.ts";
import { whenIdle } from "./when-idle.ts";

const runningView = { open: 0, turns: [{}] } as unknown as ProjectView;
const resting = { turns: [{}] } as unknown as ProjectView;

function place() {
  const state = { focused: false };
  return Object.assign(new EventTarget(), { state, matches: () => state.focused });
}

test("without an active run it is done immediately", () => {
  const act = vi.fn();
  whenIdle(
    createStore(() => ({ view: resting })),
    place(),
    act,
  );
  expect(act).toHaveBeenCalledOnce();
});

test("during a run it waits for the run's end, and is done once", () => {
  const act = vi.fn();
  const store = createStore(() => ({ view: runningView }));
  const box = place();
  whenIdle(store, box, act);
  store.setState({ view: { ...runningView } });
  expect(act).not.toHaveBeenCalled();
  store.setState({ view: resting });
  store.setState({ view: runningView });
  store.setState({ view: resting });
  box.dispatchEvent(new Event("focusin"));
  expect(act).toHaveBeenCalledOnce();
});

test("a caller that takes over the action does not have to wait", () => {
  const act = vi.fn();
  const store = createStore(() => ({ view: runningView }));
  const box = place();
  whenIdle(store, box, act);
  box.dispatchEvent(new Event("focusin"));
  expect(act).toHaveBeenCalledOnce();
  const there = Object.assign(place(), { matches: () => true });
  whenIdle(store, there, act);
  expect(act).toHaveBeenCalledTimes(2);
});

test("a dropped action is never done", () => {
  const act = vi.fn();
  const store = createStore(() => ({ view: runningView }));
  const box = place();
  whenIdle(store, box, act)();
  store.setState({ view: resting });
  box.dispatchEvent(new Event("focusin"));
  expect(act).not.toHaveBeenCalled();
});
