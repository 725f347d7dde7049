import fc from "fast-check";
import { expect, test } from "vitest";
import { deltas } from "../play/deltas.ts";
import { createCutter } from "./chunks.ts";

const text = fc.string({ unit: "binary", maxLength: 500 });

test("joined pieces are the original bytes, and each has a permitted length", () => {
  fc.assert(
    fc.property(text, fc.integer({ min: 0 }), fc.integer({ min: 1, max: 9 }), (text, seed, max) => {
      const bytes = Buffer.from(text, "utf8");
      const pieces = createCutter({ min: 1, max, seed })(bytes);
      expect(Buffer.concat(pieces)).toEqual(bytes);
      expect(pieces.every((piece) => piece.length >= 1 && piece.length <= max)).toBe(true);
    }),
    { seed: 7, numRuns: 200 },
  );
});

test("joined deltas are the original text, and none splits a surrogate pair", () => {
  fc.assert(
    fc.property(text, fc.integer({ min: 1, max: 20 }), (text, size) => {
      const pieces = [...deltas(text, size)];
      expect(pieces.join("")).toBe(text);
      expect(pieces.every((piece) => piece.isWellFormed() || !text.isWellFormed())).toBe(true);
    }),
    { seed: 7, numRuns: 200 },
  );
});
