import { expect, it } from "vitest";
import {
  attemptsOf,
  changeCount,
  countOf,
  initialCounts,
  MAX_ATTEMPTS,
  type AttemptCounts,
} from "./chosen-models.ts";

it("the first attempts of all models come before any second attempt", () => {
  expect(attemptsOf({ a: 2, b: 0, c: 1 })).toEqual(["a", "c", "a"]);
});

it("there are never fewer than none, more of one than four, or more than eight of all", () => {
  expect(changeCount({}, "a", -1)).toEqual({});
  expect(changeCount({ a: 4 }, "a", 1)).toEqual({ a: 4 });
  const full: AttemptCounts = { a: 4, b: 4 };
  expect(countOf(full)).toBe(MAX_ATTEMPTS);
  expect(changeCount(full, "c", 1)).toBe(full);
  expect(changeCount(full, "a", -1)).toEqual({ a: 3, b: 4 });
});

it("starts with the selected model, twice if it is the only one", () => {
  expect(initialCounts("a", ["a", "b"])).toEqual({ a: 1 });
  expect(initialCounts("a", ["a"])).toEqual({ a: 2 });
  expect(initialCounts(undefined, ["b", "c"])).toEqual({ b: 1 });
  expect(initialCounts(undefined, [])).toEqual({});
});
