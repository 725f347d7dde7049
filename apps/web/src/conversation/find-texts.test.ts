import type { LogEvent } from "@treadle/protocol";
import { expect, it } from "vitest";
import { emptyView, fold } from "../fold/fold.ts";
import { logOf, sampleRun } from "../fold/log.test-support.ts";
import { literalExpression } from "../ui/text-marks.ts";
import { findInTurns, plainMarkdown } from "./find-texts.ts";

const turns = (...events: LogEvent[]) => fold(emptyView(), logOf(...events)).turns;
const find = (text: string, ...events: LogEvent[]) =>
  findInTurns(turns(...events), literalExpression(text)!);

it("finds requests and answers in every turn, in the order of the conversation", () => {
  const events = [...sampleRun(), ...sampleRun("r2", "m2")];
  const found = find("TODO", ...events).map(({ message, line }) => [message, line]);
  expect(found).toEqual([
    ["m1", "m1 message"],
    ["m2", "m2 message"],
  ]);
  // The log has the answer in two pieces.
  expect(find("use   react", ...events).map(({ message }) => message)).toEqual(["m1", "m2"]);
});

it("finds text that only an open line shows, and says which line to open", () => {
  const begun = sampleRun().slice(0, 4);
  const call = (id: string, command: string, result: string): LogEvent[] => [
    { type: "call-open", run: "r1", call: id, tool: "run_command" },
    { type: "call-input", call: id, input: { command } },
    { type: "call-start", call: id },
    { type: "output", call: id, text: `${result} of ${command}` },
    { type: "call-end", call: id, status: "ok", title: `Ran ${id}`, result: "", ms: 1 },
  ];
  const events = [...begun, ...call("one", "ls", "needle"), ...call("two", "pwd", "needle needle")];
  const found = find("needle", ...events);
  expect(found.map(({ isHidden, nth }) => [isHidden, nth])).toEqual([
    [true, 0],
    [true, 0],
    [true, 1],
  ]);
  // Two consecutive commands are one line, which has to be open as well.
  expect(new Set(found.map(({ within }) => within)).size).toBe(1);
  expect(found[0]?.line).not.toBe(found[1]?.line);
  expect(find("ran two", ...events).map(({ isHidden }) => isHidden)).toEqual([false]);
});

it("searches Markdown as it is displayed, and takes regular expression characters literally", () => {
  expect(plainMarkdown("## A **b**old [link](https://example.com) and `code_name`")).toBe(
    "A bold link and code_name",
  );
  expect(find("a.c", ...sampleRun())).toEqual([]);
  expect(literalExpression("  ")).toBeUndefined();
});
