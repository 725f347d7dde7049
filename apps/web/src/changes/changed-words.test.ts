import { expect, it } from "vitest";
import { changedWords } from "./changed-words.ts";

function marked(before: string, after: string): [string[], string[]] | undefined {
  const found = changedWords(before, after);
  return (
    found && [
      found.before.map(([from, to]) => before.slice(from, to)),
      found.after.map(([from, to]) => after.slice(from, to)),
    ]
  );
}

it("finds the words that differ", () => {
  expect(marked('color: "red";', 'color: "blue";')).toEqual([["red"], ["blue"]]);
  expect(marked("const a = one(b);", "const a = two(b, c);")).toEqual([["one"], ["two", ", c"]]);
  expect(marked("添加 任务 今天", "添加 任务 明天")).toEqual([["今天"], ["明天"]]);
});

it("finds no words in lines that have little in common or are very long", () => {
  expect(marked("import x from 'y';", "<b>other</b>")).toBeUndefined();
  expect(marked("a".repeat(5_000), "b")).toBeUndefined();
});
