import { describe, expect, it } from "vitest";
import { stepLines } from "./step-lines.ts";
import type { CallItem, CallStatus } from "./types.ts";

const call = (name: string, tool: string, status: CallStatus = "ok"): CallItem => ({
  kind: "call",
  call: name,
  tool,
  fields: new Map(),
  status,
  since: 0,
});
const kinds = (items: CallItem[]) =>
  stepLines(items).map((line) => (line.kind === "calls" ? line.title : line.kind));

describe("the lines of a turn", () => {
  it("folds consecutive calls of one tool", () => {
    const items = ["a", "b", "c"].map((name) => call(name, "write_file"));
    expect(kinds(items)).toEqual(["Wrote 3 files"]);
  });

  it("keeps calls separate that have another tool between them", () => {
    const items = [
      call("a", "write_file"),
      call("b", "run_command"),
      call("c", "write_file"),
      call("d", "write_file"),
    ];
    expect(kinds(items)).toEqual(["call", "call", "Wrote 2 files"]);
  });

  it("keeps failed and running calls separate", () => {
    const items = [
      call("a", "write_file"),
      call("b", "write_file", "error"),
      call("c", "write_file"),
      call("d", "write_file", "writing"),
    ];
    expect(kinds(items)).toEqual(["call", "call", "call", "call"]);
  });

  it("does not fold a tool without its own wording, whatever its name", () => {
    expect(kinds([call("a", "constructor"), call("b", "constructor")])).toEqual(["call", "call"]);
  });
});
