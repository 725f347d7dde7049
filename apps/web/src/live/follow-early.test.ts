import { afterEach, beforeEach, expect, it, vi } from "vitest";
import { followEarly, takeLiveProject } from "./follow-early.ts";

const lines: { project: string; open: boolean }[] = [];
vi.mock("./project-store.ts", () => ({
  createLiveProject: (project: string) => ({
    project,
    store: {},
    start() {
      const line = { project, open: true };
      lines.push(line);
      return () => (line.open = false);
    },
  }),
}));
beforeEach(() => vi.useFakeTimers());
afterEach(() => {
  vi.runAllTimers();
  vi.useRealTimers();
  lines.splice(0);
});

it("the component that draws a project continues what was started earlier, and ends it", () => {
  followEarly("a");
  const live = takeLiveProject("a");
  const stop = live.start();
  vi.runAllTimers();
  expect(lines).toEqual([{ project: "a", open: true }]);
  stop();
  expect(lines).toEqual([{ project: "a", open: false }]);
  live.start();
  expect(lines).toHaveLength(2);
});

it("the component starts it itself if nothing, or another project, was started", () => {
  takeLiveProject("a").start();
  followEarly("b");
  takeLiveProject("a").start();
  expect(lines.map(({ project }) => project)).toEqual(["a", "b", "a"]);
});

it("is ended if nobody draws it, or if another project is opened", () => {
  followEarly("a");
  followEarly("b");
  expect(lines).toEqual([{ project: "a", open: false }, { project: "b", open: true }]); // prettier-ignore
  vi.runAllTimers();
  expect(lines[1]).toEqual({ project: "b", open: false });
});
