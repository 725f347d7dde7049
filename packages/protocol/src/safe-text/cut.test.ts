import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { headOf, tailOf } from "./cut.ts";

const text = fc.string({ unit: fc.constantFrom("a", "é", "😀", "👩‍💻"), maxLength: 20 });

describe("a shortened text", () => {
  it("has the requested length, or one unit less, and is well formed", () => {
    fc.assert(
      fc.property(text, fc.nat(30), (text, length) => {
        for (const part of [headOf(text, length), tailOf(text, length)]) {
          expect(part.isWellFormed()).toBe(true);
          expect(part.length).toBeLessThanOrEqual(length);
          expect(part.length).toBeGreaterThanOrEqual(Math.min(text.length, length) - 1);
        }
        expect(text.startsWith(headOf(text, length))).toBe(true);
        expect(text.endsWith(tailOf(text, length))).toBe(true);
      }),
    );
  });
});
