import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { readTasks } from "./read-tasks.ts";

const lines = (...tasks: unknown[]) => tasks.map((task) => JSON.stringify(task)).join("\n");

describe("the tasks of a benchmark", () => {
  it("are read one per line, with ids usable as folder names", () => {
    const text = lines(
      { id: "000001", instruction: "A shop", ui_instruct: [] },
      { id: 2, prompt: "A blog" },
      { instruction: "A game" },
      { id: "a-b.c", instruction: "A map" },
    );
    expect(readTasks(`${text}\n\n`)).toEqual({
      tasks: [
        { id: "000001", instruction: "A shop" },
        { id: "000002", instruction: "A blog" },
        { id: "000003", instruction: "A game" },
        { id: "a-b.c", instruction: "A map" },
      ],
    });
  });

  it("may have checks in plain steps, as text or as a list", () => {
    const steps = ["click button “Add”", "expect “Milk”\n## Another"];
    const text = lines(
      { id: 1, instruction: "x", checks: "## One\n- reload" },
      { id: 2, instruction: "x", checks: [{ name: "Adds", steps }] },
      { id: 3, instruction: "x", checks: [] },
    );
    expect(readTasks(text)).toMatchObject({
      tasks: [
        { checks: "## One\n- reload" },
        { checks: "## Adds\n\n- click button “Add”\n- expect “Milk” ## Another\n" },
        { checks: undefined },
      ],
    });
  });

  it("may describe the expected content of the database", () => {
    const text = lines({ id: 1, instruction: "x", data_structures: ["call logs"] });
    expect(readTasks(text)).toMatchObject({ tasks: [{ structures: ["call logs"] }] });
    expect(readTasks(lines({ id: 1, instruction: "x", data_structures: "a" }))).toEqual({
      wrong: expect.stringMatching(/“data_structures”/),
    });
  });

  it.each([
    ["{", /^Line 1: that is not a JSON/],
    ["[1]", /^Line 1: that is not a JSON object/],
    [lines({ id: 1 }), /^Line 1: it has no “instruction”/],
    [lines({ id: "../x", instruction: "x" }), /“id”/],
    [lines({ id: "..", instruction: "x" }), /“id”/],
    [lines({ id: "Results.jsonl", instruction: "x" }), /“id”/],
    [lines({ id: "now", instruction: "x" }), /“id”/],
    [lines({ id: -1, instruction: "x" }), /“id”/],
    [lines({ id: 1, instruction: "x", checks: [1] }), /“checks”/],
    [lines({ id: 1, instruction: "x" }, { id: "000001", instruction: "y" }), /^Line 2: .*line 1/],
    ["", /no task/],
  ])("are rejected with their line: %s", (text, wrong) => {
    expect(readTasks(text)).toEqual({ wrong: expect.stringMatching(wrong) });
  });

  it("never name a folder elsewhere, whatever the file contains", () => {
    fc.assert(
      fc.property(fc.jsonValue(), fc.string(), (value, id) => {
        const read = readTasks(lines({ id, instruction: "x", checks: value }, value));
        if ("tasks" in read)
          for (const task of read.tasks) expect(task.id).toMatch(/^[\w-][\w.-]*$/);
      }),
    );
  });
});
