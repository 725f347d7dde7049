import fc from "fast-check";
import { expect, it } from "vitest";
import { partPattern } from "./text-part.ts";

it.each([
  ["12 left", "2 left"],
  ["1.2 left", "2 left"],
  ["1,200", "200"],
  ["Room 12", "Room 1"],
])("“%s” has no part “%s”, since its number is another one", (text, part) => {
  expect(partPattern(part).test(text)).toBe(false);
});

it.each([
  ["You have 2 left.", "2 LEFT"],
  ["2\n  left", "2 left"],
  ["v2", "2"],
  ["$12.50", "12"],
  ["Total (2)", "total (2)"],
  ["1 of 2", "2"],
])("“%s” has the part “%s”", (text, part) => {
  expect(partPattern(part).test(text)).toBe(true);
});

it("any text is part of itself, and of itself among other words", () => {
  const text = fc.string({ unit: "grapheme" }).filter((one) => one.trim() !== "");
  fc.assert(
    fc.property(text, (one) => {
      expect(partPattern(one).test(one)).toBe(true);
      expect(partPattern(one).test(`before ${one} after`)).toBe(true);
    }),
  );
});
