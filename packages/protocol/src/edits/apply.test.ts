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
    ["a decrement", "  a - -b", "a--b"],
    ["what is negated", "  x = !y", "x != y"],
    ["letter case", "  Foo();", "foo();"],
    ["a regular expression's escape", "  /\\./", "/./"],
    ["a comment", "  go(); // one", "go();\n"],
    ["a type", "  let a: string = b", "let a = b"],
    ["an optional link", "  a?.b()", "a.b()"],
    ["a tuple's comma", "  x = (1,)", "x = (1)"],
    ["an empty place of a list", "  [,]", "[]"],
    ["a line break in a string", "  log('a\\nb')", "log('a\nb')"],
    ["a number that goes on", "  wait = 300;", "wait = 30"],
    ["a name that goes on", "  counter = 1;", "count"],
    ["a name that began before", "  discount = 1;", "count = 1;"],
    ["a semicolon", "  go()", "go();"],
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
    "<!-- rest of the html -->",
    "// [rest of the code]",
    "// keep existing code",
    "// same as before",
    "...existing code...",
    "-- rest of the query",
    "go(); // ... rest of the code",
    "function go() { /* ... */ }",
    "// ... more code",
    "// code omitted for brevity",
  ])("refuses the placeholder %j", (line) => {
    const result = applyEdits("a\nb\n", [{ old: "a", new: `x\n${line}` }]);
    expect(result).toMatchObject({ failures: [{ reason: "placeholder" }] });
  });

  test.each([
    "// Loading...",
    "// Loading previous messages...",
    "# Waiting for the other side...",
    "// keep trying...",
    "// the rest is history",
    "# existing files are skipped",
    "// ...and then the world ended",
    "const { a, ...rest } = b;",
    "  ...rest,",
    "...",
    'const url = "https://a.b/...rest";',
  ])("takes %j for what it is", (line) => {
    expect(applyEdits("a\n", [{ old: "a", new: line }]).ok).toBe(true);
  });

  test("takes more lines than a call has arguments", () => {
    const long = "x\n".repeat(300_000);
    const result = applyEdits("a\n  b\nc\r\n", [{ old: "b\n", new: long }]);
    expect(result.ok && result.content.length).toBeGreaterThan(600_000);
  });
});

test.each([
  ["\ufeffa\nb\n", "\ufeffa\n", "\ufeffc\n", "\ufeffc\nb\n"],
  ["\ufeffa\nb\n", "a\n", "c\n", "\ufeffc\nb\n"],
  ["a\nb\n", "\ufeffa\n", "\ufeffc\n", "c\nb\n"],
])(
  "the byte-order mark is the file's, whatever an edit has: %j with %j",
  (original, old, fresh, content) => {
    expect(applyEdits(original, [{ old, new: fresh }])).toMatchObject({ ok: true, content });
  },
);

test("a part of a word is no second place, and is changed where all are asked for", () => {
  const original = "discount = 1;\ncount = 1;\n";
  expect(applyEdits(original, [{ old: "count = 1;", new: "count = 2;" }])).toMatchObject({
    content: "discount = 1;\ncount = 2;\n",
  });
  expect(applyEdits(original, [{ old: "count", new: "sum", all: true }])).toMatchObject({
    content: "dissum = 1;\nsum = 1;\n",
  });
  expect(applyEdits("你好世界\n", [{ old: "你好", new: "再见" }])).toMatchObject({
    content: "再见世界\n",
  });
});

test("of places that lie over one another, all changes the first of each", () => {
  expect(applyEdits("aaaaa\n", [{ old: "aa", new: "b", all: true }])).toMatchObject({
    applied: 2,
    content: "bba\n",
  });
});

test("names every place where an edit fits", () => {
  expect(applyEdits("a\nb\na\n", [{ old: "a", new: "c" }])).toMatchObject({
    failures: [{ reason: "multiple", message: expect.stringContaining("lines 1, 3"), line: 1 }],
  });
});

test("a second edit of overlapping lines is refused", () => {
  const edits = [
    { old: "a\nb", new: "A\nB" },
    { old: "b\nc", new: "B\nC" },
  ];
  expect(applyEdits("a\nb\nc\n", edits)).toMatchObject({ failures: [{ edit: 1 }] });
});

test("what an earlier edit wrote is no second place for a later one", () => {
  const edits = [
    { old: "a", new: "b();" },
    { old: "b();", new: "c();" },
  ];
  expect(applyEdits("a\nb();\n", edits)).toMatchObject({ content: "b();\nc();\n" });
});

test("lines that a file ends in several ways end as those did that they replace", () => {
  const original = "a\r\n  b\r\nc\nd\r\n";
  expect(applyEdits(original, [{ old: "b\nc", new: "B\nC" }])).toMatchObject({
    content: "a\r\n  B\r\nC\nd\r\n",
  });
  expect(applyEdits(original, [{ old: "d\n", new: "d\ne\n" }])).toMatchObject({
    content: "a\r\n  b\r\nc\nd\r\ne\r\n",
  });
});

test("what is all alike is refused without trying every place to its end", () => {
  const braces = "}\n".repeat(20_000);
  for (const edit of [
    { old: "  }\n".repeat(5_000), new: "x" },
    { old: "}}".repeat(5_000), new: "x" },
  ]) {
    expect(applyEdits(braces, [edit])).toMatchObject({ ok: false });
    expect(applyEdits("}".repeat(200_000), [edit])).toMatchObject({ ok: false });
  }
});

test("many edits of single lines are found by their words", () => {
  const lines = Array.from({ length: 300 }, (_, at) => `value${at} = read(${at});`);
  const edits = lines.map((line, at) => ({ old: line, new: `value${at} = ${at};` }));
  const content = edits.map((edit) => `${edit.new}\n`).join("");
  expect(applyEdits(`${lines.join("\n")}\n`, edits)).toMatchObject({ applied: 300, content });
});

test("createEditApplier settles each edit when it arrives", () => {
  const applier = createEditApplier("one\ntwo\n");
  expect(applier.apply({ old: "one", new: "1" })).toBeUndefined();
  expect(applier.apply({ old: "three", new: "3" })).toMatchObject({ edit: 1, reason: "not found" });
  expect(applier.finish()).toMatchObject({ ok: false, content: "one\ntwo\n" });
});
