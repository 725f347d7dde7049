import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { createSurrogateJoiner } from "./surrogates.ts";

describe("chunks of a streamed text", () => {
  it("are joined to the same text, wherever it was divided", () => {
    fc.assert(
      fc.property(fc.string({ unit: "binary", maxLength: 20 }), fc.nat(3), (text, size) => {
        const joiner = createSurrogateJoiner();
        let joined = "";
        for (let at = 0; at < text.length; at += size + 1) {
          const piece = joiner.write(text.slice(at, at + size + 1));
          expect(piece.isWellFormed()).toBe(true);
          joined += piece;
        }
        expect(joined + joiner.end()).toBe(text.toWellFormed());
      }),
    );
  });

  it("have a lone surrogate replaced by U+FFFD", () => {
    const joiner = createSurrogateJoiner();
    expect(joiner.write("a\ud83d") + joiner.write("b\ude00") + joiner.write("\ud83d")).toBe(
      "a\ufffdb\ufffd",
    );
    expect(joiner.end()).toBe("\ufffd");
    expect(joiner.end()).toBe("");
  });
});
