import fc from "fast-check";
import { expect, it } from "vitest";
import { minimalChange } from "./minimal-change.ts";

const apply = (text: string, change: NonNullable<ReturnType<typeof minimalChange>>) =>
  text.slice(0, change.from) + change.insert + text.slice(change.to);

it("is undefined for equal texts", () => {
  expect(minimalChange("abc", "abc")).toBeUndefined();
});

it("covers only the difference", () => {
  expect(minimalChange("one two three", "one 2 three")).toEqual({ from: 4, to: 7, insert: "2" });
  expect(minimalChange("aa", "aaa")).toEqual({ from: 2, to: 2, insert: "a" });
});

it("always produces the new text", () => {
  const text = fc.string({ unit: fc.constantFrom("a", "b", "\n"), maxLength: 20 });
  fc.assert(
    fc.property(text, text, (before, next) => {
      const change = minimalChange(before, next);
      expect(change ? apply(before, change) : before).toBe(next);
    }),
  );
});
