import { describe, expect, it } from "vitest";
import { codeIn } from "./mentions/code-in.ts";
import { spokenTool } from "./tools/foreign.ts";

/** Length at which quadratic or slower parsing would exceed the test's time limit. */
const LONG = 400_000;
const pumped = (begin: string, again: string, end: string) =>
  begin + again.repeat(LONG / again.length) + end;

describe("A78 a text crafted to be slow to parse", () => {
  it.each<[string, (text: string) => unknown, string, string, string]>([
    ["a tool's name", spokenTool, "mcp__a", "__", "\n"],
    ["ticks of code", codeIn, "", "a`a``a```", ""],
    ["ticks in a row", codeIn, "\t", "`", ""],
  ])("%s", (_, read, begin, again, end) => {
    expect(() => read(pumped(begin, again, end))).not.toThrow();
  });
});

it("code in a text is between equal numbers of ticks, or in a fence up to its end", () => {
  const cut = (text: string) => codeIn(text).map(([from, to]) => text.slice(from, to));
  expect(cut("a `b` ``c`d`` `e")).toEqual(["`b`", "``c`d``"]);
  expect(cut("```a`` `")).toEqual(["``a``"]);
  expect(cut("a\n```ts\n@x\n``` \nb `c`")).toEqual(["```ts\n@x\n``` ", "`c`"]);
  expect(cut("~~~\n`a`\n```\nend")).toEqual(["~~~\n`a`\n```\nend"]);
});
