import { expect, it } from "vitest";
import {
  attemptsOf,
  changeWanted,
  countOf,
  firstWanted,
  MAX_ATTEMPTS,
  type Wanted,
} from "./chosen-models.ts";

it("the first attempts of all models come before the second of any", () => {
  expect(attemptsOf({ a: 2, b: 0, c: 1 })).toEqual(["a", "c", "a"]);
});

it("there are never fewer than none, more of one than four, or more than eight of all", () => {
  expect(changeWanted({}, "a", -1)).toEqual({});
  expect(changeWanted({ a: 4 }, "a", 1)).toEqual({ a: 4 });
  const full: Wanted = { a: 4, b: 4 };
  expect(countOf(full)).toBe(MAX_ATTEMPTS);
  expect(changeWanted(full, "c", 1)).toBe(full);
  expect(changeWanted(full, "a", -1)).toEqual({ a: 3, b: 4 });
});

it("one begins with the chosen model, twice where it is the only one", () => {
  expect(firstWanted("a", ["a", "b"])).toEqual({ a: 1 });
  expect(firstWanted("a", ["a"])).toEqual({ a: 2 });
  expect(firstWanted(undefined, ["b", "c"])).toEqual({ b: 1 });
  expect(firstWanted(undefined, [])).toEqual({});
});
