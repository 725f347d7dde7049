import type { LogEvent } from "@treadle/protocol";
import { toProjectPath } from "@treadle/protocol/project-path";
import { expect, it } from "vitest";
import { emptyView, fold } from "./fold.ts";
import { historyLines, describeRestore } from "./history-lines.ts";
import { logOf, sampleRun } from "./log.test-support.ts";

const titles = (...events: Parameters<typeof logOf>) =>
  historyLines(fold(emptyView(), logOf(...events))).map(({ title, note }) =>
    note === undefined ? title : `${title} (${note})`,
  );

it("names a turn's result after what was asked for, the newest first", () => {
  expect(titles(...sampleRun())).toEqual(["Build a todo app", "Before this turn"]);
});

it("names what a run found, and what it kept on its way", () => {
  const [first, message, start, ...rest] = sampleRun();
  if (!first || !message || !start) throw new Error("the run is shorter than it was");
  const checkpointEvent = (name: string, label: string) =>
    ({ type: "checkpoint", checkpoint: name, revision: name, label, run: "r1" }) as const;
  const events = [
    message,
    start,
    checkpointEvent("found", "Before this turn"),
    ...rest.slice(0, 12),
    checkpointEvent("step", "Wrote 6 files"),
    ...rest.slice(12, -1),
    checkpointEvent("end", "Verified"),
  ];
  expect(titles(...events)).toEqual([
    "Build a todo app (Verified)",
    "Wrote 6 files",
    "Before “Build a todo app”",
  ]);
});

it("shows consecutive checkpoints of one revision once, compared with the checkpoint before them", () => {
  const again = {
    type: "checkpoint",
    checkpoint: "again",
    revision: "r1-v2",
    label: "Before going back",
  } as const;
  const lines = historyLines(fold(emptyView(), logOf(...sampleRun(), again)));
  expect(lines.map(({ checkpoint, before }) => [checkpoint, before])).toEqual([
    ["again", "r1-c0"],
    ["r1-c0", undefined],
  ]);
});

it("going back is told in the words of the message that it went before, with the files' short name", () => {
  const [, message, start, ...rest] = sampleRun();
  const events = [
    message!,
    start!,
    {
      type: "checkpoint",
      checkpoint: "found",
      revision: "4f2c99",
      label: "Before this turn",
      run: "r1",
    } as const,
    ...rest,
  ];
  const view = fold(emptyView(), logOf(...events));
  const describe = (checkpoint: string) =>
    describeRestore(view, { checkpoint, label: "as it was kept" });
  expect(describe("found")).toBe("Went back to before “Build a todo app” · 4f2c");
  expect(describe(view.checkpoints.at(-1)!.checkpoint)).toBe(
    "Went back to “Build a todo app” · r1-v",
  );
  expect(describe("unknown")).toBe("Went back to “as it was kept”");
});

it("names the files that the user changed, once each", () => {
  const edit = (path: string): LogEvent => ({
    type: "files",
    changes: [{ path: toProjectPath(path), kind: "written", by: "person", size: 1 }],
  });
  const [, message, start, ...rest] = sampleRun("r2", "m2");
  const found = { type: "checkpoint", checkpoint: "found", revision: "mine", label: "Before this turn", run: "r2" } as const; // prettier-ignore
  const edits = [edit("a.ts"), edit("b.ts"), edit("a.ts")];
  expect(titles(...sampleRun(), ...edits, message!, start!, found, ...rest)).toEqual([
    "Build a todo app",
    "You changed 2 files (Before “Build a todo app”)",
    "Build a todo app",
    "Before this turn",
  ]);
});

it("describes a change of design tokens by the tokens, not by the number of files", () => {
  const edit: LogEvent = {
    type: "files",
    changes: [{ path: toProjectPath("a.css"), kind: "written", by: "person", size: 1 }],
  };
  const changed: LogEvent = {
    type: "checkpoint",
    checkpoint: "d",
    revision: "design",
    label: "Design: --accent",
    labelCode: { code: "design-changed", values: { parts: ["--accent"], more: 0 } },
  };
  expect(titles(...sampleRun(), edit, changed)[0]).toBe("Design: --accent");
});
