import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { followLine, lineDigests, lineOf } from "./index.ts";

const followed = (before: readonly string[], after: readonly string[], line: number) =>
  followLine({ line, digests: lineDigests(before.join("\n"))! }, after.join("\n"));

/** An edit of a file whose lines have names: lines are removed, and others come between them. */
const edits = (fresh: fc.Arbitrary<string>) =>
  fc
    .array(fc.constantFrom("a", "b", "}", "", "x = 1", "y = 2"), { minLength: 1, maxLength: 30 })
    .chain((before) =>
      fc.record({
        before: fc.constant(before),
        retained: fc.array(fc.boolean(), { minLength: before.length, maxLength: before.length }),
        added: fc.array(fc.array(fresh, { maxLength: 3 }), {
          minLength: before.length + 1,
          maxLength: before.length + 1,
        }),
        line: fc.integer({ min: 1, max: before.length }),
      }),
    );

function applied({
  before,
  retained,
  added,
  line,
}: {
  before: string[];
  retained: boolean[];
  added: string[][];
  line: number;
}) {
  const after = [...added[0]!];
  let place: number | undefined;
  for (const [index, text] of before.entries()) {
    if (retained[index]) after.push(text);
    if (retained[index] && index === line - 1) place = after.length;
    after.push(...added[index + 1]!);
  }
  return { after, place };
}

describe("the line of a comment", () => {
  it("follows lines that come and go above it", () => {
    expect(followed(["a", "b", "c"], ["new", "a", "c"], 3)).toBe(3);
    expect(followed(["a", "b", "c"], ["b", "c"], 3)).toBe(2);
    expect(followed(["a", "b"], ["a", "b"], 2)).toBe(2);
  });

  it("is gone once its line was changed, removed or moved", () => {
    expect(followed(["a", "b", "c"], ["a", "B", "c"], 2)).toBeUndefined();
    expect(followed(["a", "b", "c"], ["a", "c"], 2)).toBeUndefined();
    expect(followed(["a", "b", "c", "d"], ["d", "a", "b", "c"], 4)).toBeUndefined();
    expect(followed(["a"], [""], 1)).toBeUndefined();
  });

  it("is gone where it could be either of two equal lines", () => {
    expect(followed(["a {", "}", "}"], ["a {", "}"], 2)).toBeUndefined();
    expect(followed(["f {", "x", "}", "g {", "y", "}"], ["f {", "x", "}"], 3)).toBeUndefined();
    expect(followed(["f {", "x", "}", "end"], ["g {", "y", "}", "f {", "x", "}", "end"], 3)).toBe(
      6,
    );
  });

  it("is never a line with another text, whatever was edited", () => {
    const any = fc.constantFrom("a", "b", "}", "", "x = 1", "new");
    fc.assert(
      fc.property(edits(any), (edit) => {
        const { after } = applied(edit);
        const found = followed(edit.before, after, edit.line);
        if (found !== undefined)
          expect(lineOf(after.join("\n"), found)).toBe(edit.before[edit.line - 1]);
      }),
    );
  });

  it("is never another line, where what was added can be told from what there was", () => {
    const fresh = fc.integer({ min: 0, max: 999 }).map((number) => `new ${number}`);
    fc.assert(
      fc.property(edits(fresh), (edit) => {
        const { after, place } = applied(edit);
        // A file without lines has an empty one all the same.
        fc.pre(after.length > 0);
        const found = followed(edit.before, after, edit.line);
        if (found !== undefined) expect(found).toBe(place);
      }),
      { numRuns: 2_000 },
    );
  });

  it("is found wherever it is, if no other line is like it", () => {
    const fresh = fc.integer({ min: 0, max: 999 }).map((number) => `new ${number}`);
    fc.assert(
      fc.property(edits(fresh), (edit) => {
        const own = { ...edit, before: edit.before.map((text, index) => `${index} ${text}`) };
        const { after, place } = applied(own);
        expect(followed(own.before, after, own.line)).toBe(place);
      }),
    );
  });

  it("takes a moment in files of 10,000 lines that are all alike, and follows no line in longer ones", () => {
    const alike = Array.from({ length: 10_000 }, (_, at) => `${at % 7}`);
    expect(followed(alike, alike.toReversed(), 5_000)).toBeUndefined();
    expect(lineDigests("\n".repeat(10_000))).toBeUndefined();
  });

  it("does not depend on how lines end", () => {
    expect(followLine({ line: 2, digests: lineDigests("a\r\nb\r\n")! }, "new\na\nb\n")).toBe(3);
  });
});
