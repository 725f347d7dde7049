import { expect, test } from "vitest";
import { diffLines } from "./diff-lines.ts";
import { formatUnifiedDiff } from "./format-unified-diff.ts";

test("writes the same as GNU diff", () => {
  expect(formatUnifiedDiff("a\nb\nc\nd\ne\nf\ng\nh\n", "a\nb\nc\nD\ne\nf\ng\nh\n")).toBe(
    "@@ -1,7 +1,7 @@\n a\n b\n c\n-d\n+D\n e\n f\n g\n",
  );
  expect(formatUnifiedDiff("", "a\n")).toBe("@@ -0,0 +1 @@\n+a\n");
  expect(formatUnifiedDiff("a\n", "")).toBe("@@ -1 +0,0 @@\n-a\n");
  expect(formatUnifiedDiff("a", "b")).toBe(
    "@@ -1 +1 @@\n-a\n\\ No newline at end of file\n+b\n\\ No newline at end of file\n",
  );
  expect(formatUnifiedDiff("a\n", "a\n")).toBe("");
});

test("changes with touching contexts are in one hunk", () => {
  const lines = Array.from({ length: 20 }, (_, at) => `${at}\n`);
  const hunks = (...changed: number[]) => {
    const after = lines.map((line, at) => (changed.includes(at) ? `x${line}` : line));
    return formatUnifiedDiff(lines.join(""), after.join("")).match(/^@@/gm)?.length;
  };
  expect(hunks(4, 11)).toBe(1);
  expect(hunks(4, 12)).toBe(2);
});

test("finds the fewest differences", () => {
  const before = [..."ABCABBA"];
  const after = [..."CBABAC"];
  const differences = diffLines(before, after);
  const changed = differences.reduce(
    (sum, { oldFrom, oldTo, newFrom, newTo }) => sum + oldTo - oldFrom + newTo - newFrom,
    0,
  );
  expect(changed).toBe(5);
});

test("more changes than the limit count as one", () => {
  const after = (count: number) => Array.from({ length: 1_200 }, (_, at) => (at % 2 === 0 && at < count * 2 ? "new" : `${at}`)); // prettier-ignore
  // Each replaced line counts as one removed and one added.
  expect(diffLines(after(0), after(500))).toHaveLength(500);
  expect(diffLines(after(0), after(501))).toHaveLength(1);
});
