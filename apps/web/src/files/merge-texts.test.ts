import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { hasMarks } from "../git/resolutions.ts";
import { canMerge } from "./can-merge.ts";
import { mergeTexts } from "./merge-texts.ts";

const base = "a\nb\nc\nd\ne\n";

describe("merging two texts with a common base", () => {
  it("are merged if they changed different lines", () => {
    const merged = mergeTexts({ ours: "A\nb\nc\nd\ne\n", base, theirs: "a\nb\nc\nd\nE\nf\n" });
    expect(merged).toEqual({ text: "A\nb\nc\nd\nE\nf\n", marked: false });
  });

  it("keeps both between markers if they changed the same line", () => {
    const { text, marked } = mergeTexts({
      ours: "a\nB\nc\nd\ne\n",
      base,
      theirs: "a\nß\nc\nd\ne\n",
    });
    expect(marked).toBe(true);
    expect(hasMarks(text)).toBe(true);
    expect(text).toBe("a\n<<<<<<< mine\nB\n=======\nß\n>>>>>>> on disk\nc\nd\ne\n");
  });

  it("produces one text if both made the same change", () => {
    const both = "a\nb\nC\nd\ne\n";
    expect(mergeTexts({ ours: both, base, theirs: both })).toEqual({ text: both, marked: false });
  });

  it("loses no line that either of them wrote, in random texts", () => {
    const lines = fc.array(fc.constantFrom("", "{", "}", "a", "b", "c"), { maxLength: 12 });
    fc.assert(
      fc.property(lines, lines, lines, (ours, was, theirs) => {
        const text = (own: string[], name: string) => own.map((line) => name + line).join("\n");
        const merged = mergeTexts({
          ours: text(ours, "m"),
          base: was.join("\n"),
          theirs: text(theirs, "t"),
        }).text.split("\n");
        for (const line of ours) expect(merged).toContain(`m${line}`);
        for (const line of theirs) expect(merged).toContain(`t${line}`);
      }),
    );
  });

  it("is not attempted where it would block the page", () => {
    expect(canMerge(base, "\n".repeat(9_000))).toBe(true);
    expect(canMerge(base, "\n".repeat(10_000))).toBe(false);
    expect(canMerge("a".repeat(1_000_000))).toBe(false);
  });
});
