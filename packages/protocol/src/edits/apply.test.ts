import { describe, expect, test } from "vitest";
import { applyEdits, createEditApplier } from "./apply.ts";

describe("applyEdits", () => {
  test.each([
    ["an identifier", "const total = 1;", "const totals = 1;"],
    ["a digit", "  retries: 3,", "retries: 4,"],
    ["a negation", "  if (ready) go();", "if (!ready) go();"],
    ["an operator", "  a = b + c;", "a = b - c;"],
    ["a superscript digit", "  x² = 1", "x2 = 1"],
    ["a comparison", "  if (a <= b) go();", "if (a < b) go();"],
  ])("refuses when %s differs", (_, original, old) => {
    const result = applyEdits(original, [{ old, new: "x" }]);
    expect(result).toMatchObject({ ok: false, content: original });
  });

  test("applies all or none, and names every edit that fails", () => {
    const original = "a\nb\nc\n";
    const result = applyEdits(original, [
      { old: "a", new: "A" },
      { old: "x", new: "y" },
      { old: "b", new: "b" },
    ]);
    expect(result).toMatchObject({
      ok: false,
      content: original,
      failures: [
        { edit: 1, reason: "not found" },
        { edit: 2, reason: "identical" },
      ],
    });
  });

  test("shows the nearest real lines, and where they are", () => {
    const original = "import a;\n\nfunction go(first) {\n  return first + 1;\n}\n";
    const result = applyEdits(original, [
      { old: "function go(second) {\n  return second + 1;", new: "x" },
    ]);
    expect(result).toMatchObject({
      failures: [{ nearest: "function go(first) {\n  return first + 1;", line: 3 }],
    });
  });

  test("reads edits against the file, not against what an earlier one wrote", () => {
    const result = applyEdits("a\nb\n", [
      { old: "a", new: "b" },
      { old: "b\n", new: "c\n" },
    ]);
    expect(result).toMatchObject({ ok: true, content: "b\nc\n", applied: 2 });
  });

  test("takes an edit of what an earlier one wrote", () => {
    const result = applyEdits("a\n", [
      { old: "a", new: "first\nsecond" },
      { old: "second", new: "third" },
    ]);
    expect(result).toMatchObject({ ok: true, content: "first\nthird\n" });
  });

  test("keeps the comma that was forgiven", () => {
    const result = applyEdits("{\n    a: 1,\n    b: 2,\n}\n", [{ old: "a: 1\n  b: 2\n", new: "a: 1,\n  b: 3\n" }]); // prettier-ignore
    expect(result).toMatchObject({ ok: true, content: "{\n    a: 1,\n    b: 3,\n}\n" });
  });

  test("leaves mixed line endings outside the place alone", () => {
    const result = applyEdits("a\r\nb\nc\r\n", [{ old: "b", new: "B\nBB" }]);
    expect(result).toMatchObject({ ok: true, content: "a\r\nB\nBB\nc\r\n" });
  });

  test.each([
    "// ... rest of the code",
    "  // …existing code…",
    "{/* ... other fields unchanged ... */}",
    "# rest of the file",
    "<!-- ... -->",
  ])("refuses the placeholder %j", (line) => {
    const result = applyEdits("a\nb\n", [{ old: "a", new: `x\n${line}` }]);
    expect(result).toMatchObject({ failures: [{ reason: "placeholder" }] });
  });

  test.each(["// Loading...", "// the rest is history", "const { a, ...rest } = b;", "..."])(
    "takes %j for what it is",
    (line) => {
      expect(applyEdits("a\n", [{ old: "a", new: line }]).ok).toBe(true);
    },
  );

  test("takes more lines than a call has arguments", () => {
    const long = "x\n".repeat(300_000);
    const result = applyEdits("a\n  b\nc\r\n", [{ old: "b\n", new: long }]);
    expect(result.ok && result.content.length).toBeGreaterThan(600_000);
  });
});

test("createEditApplier settles each edit when it arrives", () => {
  const applier = createEditApplier("one\ntwo\n");
  expect(applier.apply({ old: "one", new: "1" })).toBeUndefined();
  expect(applier.apply({ old: "three", new: "3" })).toMatchObject({ edit: 1, reason: "not found" });
  expect(applier.finish()).toMatchObject({ ok: false, content: "one\ntwo\n" });
});
