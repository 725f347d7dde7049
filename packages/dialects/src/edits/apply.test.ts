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
  ])("rejects an edit when %s differs", (_, original, old) => {
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

  test("shows the nearest actual lines, and their position", () => {
    const original = "import a;\n\nfunction go(first) {\n  return first + 1;\n}\n";
    const result = applyEdits(original, [
      { old: "function go(second) {\n  return second + 1;", new: "x" },
    ]);
    expect(result).toMatchObject({
      failures: [{ nearest: "function go(first) {\n  return first + 1;", line: 3 }],
    });
  });

  test("matches edits against the original file, not against the text of an earlier one", () => {
    const result = applyEdits("a\nb\n", [
      { old: "a", new: "b" },
      { old: "b\n", new: "c\n" },
    ]);
    expect(result).toMatchObject({ ok: true, content: "b\nc\n", applied: 2 });
  });

  test("accepts an edit of text that an earlier one wrote", () => {
    const result = applyEdits("a\n", [
      { old: "a", new: "first\nsecond" },
      { old: "second", new: "third" },
    ]);
    expect(result).toMatchObject({ ok: true, content: "first\nthird\n" });
  });

  test("keeps a comma that the edit omitted", () => {
    const result = applyEdits("{\n    a: 1,\n    b: 2,\n}\n", [{ old: "a: 1\n  b: 2\n", new: "a: 1,\n  b: 3\n" }]); // prettier-ignore
    expect(result).toMatchObject({ ok: true, content: "{\n    a: 1,\n    b: 3,\n}\n" });
  });

  test("leaves mixed line endings elsewhere alone", () => {
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
  ])("accepts %j as ordinary code", (line) => {
    expect(applyEdits("a\n", [{ old: "a", new: line }]).ok).toBe(true);
  });

  test("handles more lines than a call can have arguments", () => {
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

test("a part of a word is no second match, and is changed if all matches are requested", () => {
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

test("for overlapping matches, all changes the first of each", () => {
  expect(applyEdits("aaaaa\n", [{ old: "aa", new: "b", all: true }])).toMatchObject({
    applied: 2,
    content: "bba\n",
  });
});

test("names every matching place", () => {
  expect(applyEdits("a\nb\na\n", [{ old: "a", new: "c" }])).toMatchObject({
    failures: [{ reason: "multiple", message: expect.stringContaining("lines 1, 3"), line: 1 }],
  });
});

test("rejects a second edit of overlapping lines", () => {
  const edits = [
    { old: "a\nb", new: "A\nB" },
    { old: "b\nc", new: "B\nC" },
  ];
  expect(applyEdits("a\nb\nc\n", edits)).toMatchObject({ failures: [{ edit: 1 }] });
});

test("text written by an earlier edit is no second match for a later one", () => {
  const edits = [
    { old: "a", new: "b();" },
    { old: "b();", new: "c();" },
  ];
  expect(applyEdits("a\nb();\n", edits)).toMatchObject({ content: "b();\nc();\n" });
});

test("new lines in a file with mixed line endings end like those that they replace", () => {
  const original = "a\r\n  b\r\nc\nd\r\n";
  expect(applyEdits(original, [{ old: "b\nc", new: "B\nC" }])).toMatchObject({
    content: "a\r\n  B\r\nC\nd\r\n",
  });
  expect(applyEdits(original, [{ old: "d\n", new: "d\ne\n" }])).toMatchObject({
    content: "a\r\n  b\r\nc\nd\r\ne\r\n",
  });
});

test("rejects a text of equal lines without trying every place completely", () => {
  const braces = "}\n".repeat(20_000);
  for (const edit of [
    { old: "  }\n".repeat(5_000), new: "x" },
    { old: "}}".repeat(5_000), new: "x" },
  ]) {
    expect(applyEdits(braces, [edit])).toMatchObject({ ok: false });
    expect(applyEdits("}".repeat(200_000), [edit])).toMatchObject({ ok: false });
  }
});

test("finds many single-line edits by their words", () => {
  const lines = Array.from({ length: 300 }, (_, at) => `value${at} = read(${at});`);
  const edits = lines.map((line, at) => ({ old: line, new: `value${at} = ${at};` }));
  const content = edits.map((edit) => `${edit.new}\n`).join("");
  expect(applyEdits(`${lines.join("\n")}\n`, edits)).toMatchObject({ applied: 300, content });
});

test("createEditApplier settles each edit on arrival", () => {
  const applier = createEditApplier("one\ntwo\n");
  expect(applier.apply({ old: "one", new: "1" })).toBeUndefined();
  expect(applier.apply({ old: "three", new: "3" })).toMatchObject({ edit: 1, reason: "not found" });
  expect(applier.finish()).toMatchObject({ ok: false, content: "one\ntwo\n" });
});

describe("an edit with extra markup", () => {
  const file = "a();\nif (x < 1) {\n  go(x);\n}\nb();\n";
  test.each([
    ["line numbers", "2 | if (x < 1) {\n3 |   go(x);\n", "2 | if (x > 1) {\n3 |   go(x);\n"],
    ["line numbers of cat", "  2\tif (x < 1) {\n  3\t  go(x);", "  2\tif (x > 1) {\n  3\t  go(x);"],
    ["line numbers of the old text only", "2 | if (x < 1) {", "if (x > 1) {"],
    ["line numbers of grep", "2:if (x < 1) {\n3:  go(x);\n", "2:if (x > 1) {\n3:  go(x);\n"],
    ["a fence", "```js\nif (x < 1) {\n```", "```js\nif (x > 1) {\n```"],
    ["entities", "if (x &lt; 1) {", "if (x &gt; 1) {"],
    ["a fence and line numbers", "```\n2 | if (x < 1) {\n```\n", "```\n2 | if (x > 1) {\n```\n"],
  ])("is applied without %s", (_what, old, fresh) => {
    expect(applyEdits(file, [{ old, new: fresh }])).toMatchObject({
      ok: true,
      content: file.replace("x < 1", "x > 1"),
    });
  });

  test.each([
    ["numbers of another line", "7 | if (x < 1) {", "7 | if (x > 1) {"],
    ["numbers that do not follow", "2 | if (x < 1) {\n4 |   go(x);", "x"],
    ["numbers in some new lines", "2 | if (x < 1) {\n3 |   go(x);", "2 | if (x > 1) {\n  stop();"],
    ["entities beside what they stand for", "if (x &lt; 1) {", "if (x < 2 &amp;&amp; y) {"],
    ["another name", "2 | if (y < 1) {", "2 | if (y > 1) {"],
    ["a fence around what is not there", "```\nif (x < 2) {\n```", "```\ny\n```"],
  ])("is refused with %s, and nothing is changed", (_what, old, fresh) => {
    expect(applyEdits(file, [{ old, new: fresh }])).toMatchObject({ ok: false, content: file });
  });

  test("is applied literally if it matches with the markup", () => {
    const table = "1 | a\n2 | b\n";
    expect(applyEdits(table, [{ old: "2 | b", new: "2 | c" }])).toMatchObject({ content: "1 | a\n2 | c\n" }); // prettier-ignore
    const page = "<p>&lt;b&gt;</p>\n";
    expect(applyEdits(page, [{ old: "&lt;b&gt;", new: "&lt;i&gt;" }])).toMatchObject({
      content: "<p>&lt;i&gt;</p>\n",
    });
  });
});

test("a block that may be divided at several lines is applied if one division matches", () => {
  const edit = {
    old: "Title\n",
    new: "New\n=======\nmore\n",
    or: [{ old: "Title\n=======\nNew\n", new: "more\n" }],
  };
  expect(applyEdits("Title\n", [edit])).toMatchObject({ content: "New\n=======\nmore\n" });
  expect(applyEdits("Title\n=======\nNew\n", [edit])).toMatchObject({ ok: false });
  const second = { ...edit, old: "Titel\n" };
  expect(applyEdits("Title\n=======\nNew\n", [second])).toMatchObject({ content: "more\n" });
  expect(applyEdits("Other\n", [edit])).toMatchObject({ failures: [{ reason: "not found" }] });
});

test("a line of 100,000 characters is edited if it is the only match, and shown if it is nearest", () => {
  const many = Array.from({ length: 8_000 }, (_, at) => `f${at}(x)`).join(";");
  const old = "f4000(x)";
  expect(applyEdits(many, [{ old, new: "g(x)" }])).toMatchObject({
    ok: true,
    content: many.replace(old, "g(x)"),
  });
  const result = applyEdits(many, [{ old: "f4000(y)", new: "g(x)" }]);
  expect(result).toMatchObject({
    failures: [{ reason: "not found", nearest: expect.stringContaining("f4000(x)"), line: 1 }],
  });
});
