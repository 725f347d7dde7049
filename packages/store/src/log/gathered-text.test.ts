import { describe, expect, it } from "vitest";
import { createGatheredText, OUTPUT_HEAD, OUTPUT_TAIL } from "./gathered-text.ts";

const LIMIT = OUTPUT_HEAD + OUTPUT_TAIL;

describe("a long text gathered from pieces", () => {
  it("keeps output at the limit complete, and only head and tail of longer output", () => {
    const exact = createGatheredText("output");
    exact.add("x".repeat(LIMIT), false);
    expect(exact.join()).toHaveLength(LIMIT);
    exact.add("y", false);
    expect(exact.join()).toContain("1 characters left out");
    expect(exact.join().endsWith("y")).toBe(true);
  });

  it("counts the omitted characters over many pieces (F18)", () => {
    const text = createGatheredText("output");
    text.add("head", false);
    for (let n = 0; n < 80; n++) text.add("x".repeat(100_000), false);
    text.add("tail", false);
    const joined = text.join();
    const left = 8_000_008 - LIMIT;
    expect(joined.startsWith("head")).toBe(true);
    expect(joined.endsWith("tail")).toBe(true);
    expect(joined).toContain(`${left.toLocaleString("en")} characters left out`);
    expect(joined.length).toBeLessThan(LIMIT + 100);
  });

  it("keeps a model's text complete, and starts over at a complete piece", () => {
    const text = createGatheredText("call-delta");
    text.add("gone", false);
    text.add("x".repeat(3 * LIMIT), true);
    expect(text.join()).toHaveLength(3 * LIMIT);
  });
});
