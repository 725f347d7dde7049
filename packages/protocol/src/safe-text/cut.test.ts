import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { createSurrogateJoiner, headOf, tailOf } from "./cut.ts";

const text = fc.string({ unit: fc.constantFrom("a", "é", "😀", "👩‍💻"), maxLength: 20 });

describe("a text that is cut", () => {
  it("is as long as asked, or one unit shorter, and well formed", () => {
    fc.assert(
      fc.property(text, fc.nat(30), (whole, length) => {
        for (const part of [headOf(whole, length), tailOf(whole, length)]) {
          expect(part.isWellFormed()).toBe(true);
          expect(part.length).toBeLessThanOrEqual(length);
          expect(part.length).toBeGreaterThanOrEqual(Math.min(whole.length, length) - 1);
        }
        expect(whole.startsWith(headOf(whole, length))).toBe(true);
        expect(whole.endsWith(tailOf(whole, length))).toBe(true);
      }),
    );
  });
});

describe("pieces of a streamed text", () => {
  it("are joined to the text that they are pieces of, wherever it was divided", () => {
    fc.assert(
      fc.property(fc.string({ unit: "binary", maxLength: 20 }), fc.nat(3), (whole, size) => {
        const joiner = createSurrogateJoiner();
        let joined = "";
        for (let at = 0; at < whole.length; at += size + 1) {
          const piece = joiner.write(whole.slice(at, at + size + 1));
          expect(piece.isWellFormed()).toBe(true);
          joined += piece;
        }
        expect(joined + joiner.end()).toBe(whole.toWellFormed());
      }),
    );
  });

  it("lose a half that no other half follows to U+FFFD", () => {
    const joiner = createSurrogateJoiner();
    expect(joiner.write("a\ud83d") + joiner.write("b\ude00") + joiner.write("\ud83d")).toBe(
      "a\ufffdb\ufffd",
    );
    expect(joiner.end()).toBe("\ufffd");
    expect(joiner.end()).toBe("");
  });
});
