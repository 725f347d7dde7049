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

test("where no run goes on it is done at once", () => {
  const act = vi.fn();
  whenIdle(
    createStore(() => ({ view: resting })),
    place(),
    act,
  );
  expect(act).toHaveBeenCalledOnce();
});

test("while a run goes on it waits for the run's end, and is done once", () => {
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

test("whoever takes the place in hand need not wait", () => {
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

test("what was forgotten is never done", () => {
  const act = vi.fn();
  const store = createStore(() => ({ view: runningView }));
  const box = place();
  whenIdle(store, box, act)();
  store.setState({ view: resting });
  box.dispatchEvent(new Event("focusin"));
  expect(act).not.toHaveBeenCalled();
});
