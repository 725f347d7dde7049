import { describe, expect, it } from "vitest";
import { append, gather, keepTail, textOf, textSince } from "./gathered.ts";

describe("gathered text", () => {
  it("joins appended text", () => {
    const text = ["a", "", "bc", "d"].reduce(append, gather(""));
    expect(textOf(text)).toBe("abcd");
    expect(text.length).toBe(4);
  });

  it("does not change the previous value, even if two values continue it", () => {
    const start = gather("a");
    const one = append(start, "b");
    const other = append(start, "c");
    expect([textOf(start), textOf(one), textOf(other)]).toEqual(["a", "ab", "ac"]);
  });

  it("returns the text since any position", () => {
    const text = ["one", "two", "three"].reduce(append, gather(""));
    for (let from = 0; from <= 12; from += 1)
      expect(textSince(text, from)).toBe("onetwothree".slice(from));
  });

  it("keeps a tail between once and twice the limit", () => {
    let text = gather("");
    for (let index = 0; index < 100; index += 1) text = keepTail(append(text, "0123456789"), 50);
    const retained = textOf(text);
    expect(text.length).toBe(1000);
    expect(text.dropped).toBe(1000 - retained.length);
    expect(retained.length).toBeGreaterThanOrEqual(50);
    expect(retained.length).toBeLessThanOrEqual(100);
    expect(textSince(text, 995)).toBe("56789");
    expect(textSince(text, 0)).toBe(retained);
  });

  it("drops nothing at the limit, and something beyond it", () => {
    const at = keepTail(gather("x".repeat(20)), 10);
    expect(at.dropped).toBe(0);
    expect(keepTail(append(at, "x"), 10).dropped).toBe(11);
  });
});
