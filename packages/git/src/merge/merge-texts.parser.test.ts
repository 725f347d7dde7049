import { expect, it } from "vitest";
import { parse as mergeTexts } from "./merge-texts.parser.ts";

it("combines changes of different lines from both sides", () => {
  const merged = mergeTexts({
    kind: "lines",
    base: "a\nb\nc\n",
    ours: "A\nb\nc\n",
    theirs: "a\nb\nC\n",
  });
  expect(merged).toBe("A\nb\nC\n");
});

it("reports a conflict if both changed the same lines differently, or added the same file", () => {
  expect(mergeTexts({ kind: "lines", base: "a\n", ours: "b\n", theirs: "c\n" })).toBeUndefined();
  expect(mergeTexts({ kind: "lines", base: "", ours: "b\n", theirs: "c\n" })).toBeUndefined();
  expect(mergeTexts({ kind: "lines", base: "a\n", ours: "b\n", theirs: "b\n" })).toBe("b\n");
});

it("merges JSON by keys, with the indentation and order of the project's own", () => {
  const json = (value: unknown) => JSON.stringify(value, undefined, 2) + "\n";
  const merged = mergeTexts({
    kind: "json",
    base: json({ name: "app", dependencies: { react: "1" } }),
    ours: json({ name: "app", dependencies: { react: "1", vue: "2" } }),
    theirs: json({ name: "app", dependencies: { react: "1", zod: "3" } }),
  });
  expect(merged).toBe(json({ name: "app", dependencies: { react: "1", vue: "2", zod: "3" } }));
});

it("reports a conflict in JSON if one key has two values, and does not merge invalid JSON", () => {
  const versionFile = (value: string) => `{"version":"${value}"}`;
  const conflict = { base: versionFile("1"), ours: versionFile("2"), theirs: versionFile("3") };
  expect(mergeTexts({ kind: "json", ...conflict })).toBeUndefined();
  expect(mergeTexts({ kind: "json", base: "{", ours: "{1", theirs: "{2" })).toBeUndefined();
});

it("removes a JSON key that one side removed, and keeps one with the name of a prototype property", () => {
  const merged = mergeTexts({
    kind: "json",
    base: '{"a":1,"b":1}',
    ours: '{"b":1,"__proto__":{"x":1}}',
    theirs: '{"a":1,"b":2}',
  });
  expect(merged).toBe('{"b":2,"__proto__":{"x":1}}');
});

it("merges checks by their headings", () => {
  const base = "# Checks\n\n## One\n\n- expect 1\n";
  const merged = mergeTexts({
    kind: "sections",
    base,
    ours: `${base}\n## Two\n\n- expect 2\n`,
    theirs: `${base}\n## Three\n\n- expect 3\n`,
  });
  expect(merged).toBe(`${base}\n## Two\n\n- expect 2\n\n## Three\n\n- expect 3\n`);
  const other = {
    ours: `${base}\n## Two\n\n- expect 2\n`,
    theirs: `${base}\n## Two\n\n- expect 3\n`,
  };
  expect(mergeTexts({ kind: "sections", base, ...other })).toBeUndefined();
});
