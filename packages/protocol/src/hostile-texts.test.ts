import { describe, expect, it } from "vitest";
import { codeIn } from "./mentions/code-in.ts";
import { spokenTool } from "./tools/foreign.ts";

/** Whoever reads such a text in the square of its length, or worse, is not done with it before the test's time is over. */
const LONG = 400_000;
const pumped = (begin: string, again: string, end: string) =>
  begin + again.repeat(LONG / again.length) + end;

describe("A78 a text that is made to be read without end", () => {
  it.each<[string, (text: string) => unknown, string, string, string]>([
    ["a tool's name", spokenTool, "mcp__a", "__", "\n"],
    ["ticks of code", codeIn, "", "a`a``a```", ""],
    ["ticks in a row", codeIn, "\t", "`", ""],
  ])("%s", (_, read, begin, again, end) => {
    expect(() => read(pumped(begin, again, end))).not.toThrow();
  });
});

it("code in a text is what stands between as many ticks, or in a fence up to its end", () => {
  const cut = (text: string) => codeIn(text).map(([from, to]) => text.slice(from, to));
  expect(cut("a `b` ``c`d`` `e")).toEqual(["`b`", "``c`d``"]);
  expect(cut("```a`` `")).toEqual(["``a``"]);
  expect(cut("a\n```ts\n@x\n``` \nb `c`")).toEqual(["```ts\n@x\n``` ", "`c`"]);
  expect(cut("~~~\n`a`\n```\nend")).toEqual(["~~~\n`a`\n```\nend"]);
});
