import { expect, test } from "vitest";
import { applyModification, parseModifications } from "./parse.ts";
import { formatModifications, toModification } from "./serialize.ts";

const LONG = Array.from({ length: 40 }, (_, at) => `line ${at}\n`).join("");
const CHANGED = LONG.replace("line 20\n", "line twenty\n");

test("gives a small change of a long file as a unified diff without headers", () => {
  const text = formatModifications([{ path: "src/a.ts", before: LONG, after: CHANGED }]);
  expect(text).toBe(`<bolt_file_modifications>
<diff path="src/a.ts">
@@ -18,7 +18,7 @@
 line 17
 line 18
 line 19
-line 20
+line twenty
 line 21
 line 22
 line 23
</diff>
</bolt_file_modifications>`);
  const [modification] = parseModifications(text);
  expect(applyModification(LONG, modification!)).toEqual({ ok: true, content: CHANGED });
});

test("gives the complete file if that is shorter, or if it is new", () => {
  expect(toModification({ path: "a", before: "a\n", after: "b\n" })).toEqual({
    type: "file",
    path: "a",
    content: "b\n",
  });
  expect(toModification({ path: "a", after: "b\n" })).toMatchObject({ type: "file" });
});

test("names binary and deleted files without a diff", () => {
  const changes = [
    { path: "logo.png", binary: true, before: "\0a", after: "\0b" },
    { path: 'old "x".ts', before: LONG },
  ];
  const text = formatModifications(changes);
  expect(text).toBe(
    '<bolt_file_modifications>\n<binary path="logo.png" />\n<deleted path="old &quot;x&quot;.ts" />\n</bolt_file_modifications>',
  );
  const read = parseModifications(text);
  expect(read).toEqual([
    { type: "binary", path: "logo.png" },
    { type: "deleted", path: 'old "x".ts' },
  ]);
  expect(applyModification("\0a", read[0]!)).toMatchObject({ ok: false });
  expect(applyModification(LONG, read[1]!)).toEqual({ ok: true, content: undefined });
});

test("is empty if nothing changed", () => {
  expect(formatModifications([{ path: "a", before: "a", after: "a" }])).toBe("");
  expect(formatModifications([])).toBe("");
});

test("line endings, byte-order mark and a missing last line break are part of the change", () => {
  for (const after of [
    LONG.replaceAll("\n", "\r\n"),
    `\ufeff${LONG}`,
    LONG.slice(0, -1),
    `${LONG}\n`,
  ]) {
    const read = parseModifications(formatModifications([{ path: "a", before: LONG, after }]));
    expect(applyModification(LONG, read[0]!)).toEqual({ ok: true, content: after });
  }
});

test("gives a line that looks like the end of the entry in a diff, where lines are prefixed", () => {
  const after = "a\n</file>\nb\n";
  const read = parseModifications(formatModifications([{ path: "a", before: "", after }]));
  expect(read).toMatchObject([{ type: "diff" }]);
  expect(applyModification("", read[0]!)).toEqual({ ok: true, content: after });
});

test("drops the workspace root of bolt's absolute paths, and reads an unclosed entry to the end", () => {
  const text = '<bolt_file_modifications>\n<file path="/home/project/a.ts">\nconst a = 1;';
  expect(parseModifications(text)).toEqual([
    { type: "file", path: "a.ts", content: "const a = 1;" },
  ]);
});

test("rejects a diff that does not match, with the reason", () => {
  const diff = { type: "diff", path: "a.ts", content: "@@ -1 +1 @@\n-gone\n+new\n" } as const;
  expect(applyModification("other\n", diff)).toEqual({
    ok: false,
    error: "a.ts: hunk 1 does not fit: its lines are not in the file.",
  });
});
