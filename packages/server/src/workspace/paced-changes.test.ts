import { toProjectPath } from "@treadle/protocol/project-path";
import type { FileChange, LogEvent } from "@treadle/protocol";
import { afterEach, beforeEach, expect, it, vi } from "vitest";
import { createPacedChanges } from "./paced-changes.ts";

const events: LogEvent[] = [];
const pace = () =>
  createPacedChanges({ now: () => Date.now(), append: (event) => events.push(event) });
const change = (path: string, kind: FileChange["kind"] = "written"): FileChange => ({
  path: toProjectPath(path),
  kind,
  by: "command",
  size: 1,
});
const bytes = () => events.reduce((sum, event) => sum + JSON.stringify(event).length, 0);

beforeEach(() => {
  events.length = 0;
  vi.useFakeTimers();
});
afterEach(() => void vi.useRealTimers());

it("reports occasional changes immediately", () => {
  const changes = pace();
  for (let second = 0; second < 100; second++) {
    changes.add([change("a"), change("b", "removed")], `r${second}`);
    vi.advanceTimersByTime(1_000);
  }
  expect(events).toHaveLength(100);
  expect(events.at(-1)).toMatchObject({ revision: "r99", changes: [{ path: "a" }, { path: "b" }] });
});

it("reports all changes of a whole tree", () => {
  const files = Array.from({ length: 3_000 }, (_, index) => change(`src/${index}`));
  pace().add(files, undefined);
  expect(events).toEqual([{ type: "files", changes: files }]);
});

it("A53 limits the log's growth for files that are written and removed endlessly, and reports the last change of each", () => {
  const changes = pace();
  for (let tick = 0; tick < 600; tick++) {
    const names = Array.from({ length: 500 }, (_, index) => `churn/${tick}-${index}`);
    changes.add([...names.map((name) => change(name)), change("kept")], undefined);
    vi.advanceTimersByTime(25);
    changes.add(
      names.map((name) => change(name, "removed")),
      `r${tick}`,
    );
    vi.advanceTimersByTime(25);
  }
  changes.end();
  // Without a limit it is 40 MB in these 30 seconds.
  expect(bytes()).toBeLessThan(2_000_000);
  const last = events.flatMap((event) => (event.type === "files" ? event.changes : [])).at(-1);
  expect(last?.path).toBe("kept");
});
