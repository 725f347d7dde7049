import { toProjectPath } from "@treadle/protocol/project-path";
import { expect, it } from "vitest";
import { applyChanges } from "./apply-changes.ts";

const [a, b] = [toProjectPath("a.ts"), toProjectPath("b.ts")];
const edit = (line: number, from: number, to: number, newText: string) => ({
  range: { start: { line, character: from }, end: { line, character: to } },
  newText,
});

function project(texts: Record<string, string>) {
  return {
    texts,
    read: async (path: string) => ({ text: texts[path], version: texts[path] ?? "" }),
    async write(path: string, text: string, version: string) {
      if (texts[path] !== version) throw new Error("changed");
      texts[path] = text;
      return text;
    },
  };
}

it("changes every file, and keeps its line endings", async () => {
  const files = project({ "a.ts": "one\r\ntwo one\r\n", "b.ts": "one" });
  const done = await applyChanges(
    [
      { path: a, edits: [edit(1, 4, 7, "1"), edit(0, 0, 3, "1")] },
      { path: b, edits: [edit(0, 0, 3, "1")] },
    ],
    files,
  );
  expect(done).toMatchObject({ changed: 2, skipped: [] });
  expect(files.texts).toEqual({ "a.ts": "1\r\ntwo 1\r\n", "b.ts": "1" });
  // The edit is undone, except in a file that has changed since.
  files.texts["b.ts"] = "mine";
  expect(await done.undo()).toEqual(["b.ts"]);
  expect(files.texts).toEqual({ "a.ts": "one\r\ntwo one\r\n", "b.ts": "mine" });
});

it("finds positions in a file with a byte-order mark and mixed line endings, and keeps both", async () => {
  const files = project({ "a.ts": "\ufeffone\r\ntwo\nthree one\r\n" });
  await applyChanges([{ path: a, edits: [edit(0, 0, 3, "1"), edit(2, 6, 9, "1")] }], files);
  expect(files.texts["a.ts"]).toBe("\ufeff1\r\ntwo\nthree 1\r\n");
});

it("skips a file that someone else changed meanwhile, and reports it", async () => {
  const files = project({ "a.ts": "one", "b.ts": "one" });
  const { write } = files;
  files.write = async (path, text, version) => {
    if (path === b) files.texts["b.ts"] = "theirs";
    return write(path, text, version);
  };
  const done = await applyChanges(
    [a, b].map((path) => ({ path, edits: [edit(0, 0, 3, "1")] })),
    files,
  );
  expect(done).toMatchObject({ changed: 1, skipped: ["b.ts"] });
  expect(files.texts["b.ts"]).toBe("theirs");
});

it("writes nothing if an edit does not fit", async () => {
  const files = project({ "a.ts": "one", "b.ts": "one" });
  const edits = [
    { path: a, edits: [edit(0, 0, 3, "1")] },
    { path: b, edits: [edit(7, 0, 3, "1")] },
  ];
  await expect(applyChanges(edits, files)).rejects.toThrow("b.ts");
  expect(files.texts).toEqual({ "a.ts": "one", "b.ts": "one" });
});
