import { describe, expect, test } from "vitest";
import { ScriptError } from "./errors.ts";
import { parseScript } from "./parse-script.ts";

const parse = (text: string, files: Record<string, string> = {}) =>
  parseScript(text, {
    name: "test",
    readFile(path) {
      const content = files[path];
      if (content === undefined) throw new Error("no such file");
      return content;
    },
  });

describe("a script", () => {
  test("consists of steps with conditions and parts, in the order written", () => {
    const script = parse(
      "# For readers\n\nwords\n\n## One\nwhen: turn 2+\nwhen: not news /x+/i\n\nHello\nthere.\n\n~~~think\nhm\n~~~\n~~~call write_file\npath: a b.txt\ncontent: @a\n~~~\nBye.\n\n## otherwise\nSorry.\n",
      { a: "line\n~~~\n" },
    );
    expect(script).toEqual({
      name: "test",
      steps: [
        {
          name: "One",
          when: [
            { type: "turn", number: 2, orLater: true, not: false },
            { type: "text", subject: "news", pattern: /x+/i, not: true },
          ],
          parts: [
            { type: "say", text: "Hello\nthere." },
            { type: "think", text: "hm" },
            {
              type: "call",
              tool: "write_file",
              input: { path: "a b.txt", content: "line\n~~~\n" },
            },
            { type: "say", text: "Bye." },
          ],
        },
      ],
      otherwise: [{ type: "say", text: "Sorry." }],
    });
  });

  test("accepts several edits, preserving white space", () => {
    const script = parse(
      "## One\n~~~call edit_file\npath: a\n<<<<<<<\n  old\n=======\n>>>>>>>\n<<<<<<<\nb\n=======\n\n c\n>>>>>>>\n~~~\n",
    );
    expect(script.steps[0]?.parts[0]).toEqual({
      type: "call",
      tool: "edit_file",
      input: {
        path: "a",
        edits: [
          { old: "  old", new: "" },
          { old: "b", new: "\n c" },
        ],
      },
    });
  });

  test("parses values as JSON if valid, and as text otherwise", () => {
    const script = parse(
      '## One\n~~~call t\na: 3\nb: "3"\nc: npm run dev -- --port 3\nd: ["x"]\n~~~\n',
    );
    const part = script.steps[0]?.parts[0];
    expect(part?.type === "call" && part.input).toEqual({
      a: 3,
      b: "3",
      c: "npm run dev -- --port 3",
      d: ["x"],
    });
  });

  test("preserves an ordinary code fence in prose", () => {
    const [step] = parse("## One\nLook:\n\n```js\nx\n```\n").steps;
    expect(step?.parts).toEqual([{ type: "say", text: "Look:\n\n```js\nx\n```" }]);
  });

  test("accepts the settings of a fault", () => {
    const [step] = parse(
      "## One\n~~~fault rate-limited\nretry-after: 2\nmessage: Slow down\n~~~\n",
    ).steps;
    expect(step?.parts).toEqual([
      { type: "fault", fault: { kind: "rate-limited", retryAfter: 2, message: "Slow down" } },
    ]);
  });

  test.each([
    ["no steps", "# Nothing\n", 0],
    ["an unknown condition", "## One\nwhen: moon full\n", 2],
    ["a pattern that is none", "## One\nwhen: news /(/\n", 2],
    ["an unknown fault", "## One\n~~~fault earthquake\n~~~\n", 2],
    ["an unknown setting", "## One\n~~~fault reset\nafter: soon\n~~~\n", 3],
    ["a missing file", "## One\n~~~call t\na: @nowhere\n~~~\n", 3],
    ["a block that stays open", "## One\n\n~~~call t\n", 3],
    ["a call of nothing", "## One\n~~~call\n~~~\n", 2],
  ])("with %s is rejected with its line", (_what, text, line) => {
    let error: unknown;
    try {
      parse(text);
    } catch (caught) {
      error = caught;
    }
    expect(error).toBeInstanceOf(ScriptError);
    expect((error as ScriptError).line).toBe(line);
  });
});
