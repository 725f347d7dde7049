import { toProjectPath } from "@treadle/protocol/project-path";
import { expect, it } from "vitest";
import { linesOf, replaceInFiles, undoReplace } from "./replace-in-files.ts";

const [a, b] = [toProjectPath("a.ts"), toProjectPath("b.ts")];

function project(texts: Record<string, string | undefined>) {
  return {
    texts,
    read: async (path: string) => ({ text: texts[path], version: `v:${texts[path]}` }),
    async write(path: string, text: string, version: string) {
      if (version !== `v:${texts[path]}`) throw new Error("changed");
      texts[path] = text;
      return `v:${text}`;
    },
  };
}
const one = { expression: /one/g, to: "1", regex: false };

it("replaces only in the lines found, and can be undone", async () => {
  const files = project({ "a.ts": "one\r\none one\r\none", "b.ts": "one\n" });
  const done = await replaceInFiles(
    [
      {
        path: a,
        lines: [
          { line: 2, text: "one one" },
          { line: 3, text: "one" },
        ],
      },
      { path: b, lines: [{ line: 1, text: "one" }] },
    ],
    one,
    files,
  );
  expect([linesOf(done), done.skipped]).toEqual([3, []]);
  expect(files.texts).toEqual({ "a.ts": "one\r\n1 1\r\n1", "b.ts": "1\n" });
  files.texts["b.ts"] = "mine\n";
  expect(await undoReplace(done, files)).toEqual({ skipped: ["b.ts"], rest: [] });
  expect(files.texts).toEqual({ "a.ts": "one\r\none one\r\none", "b.ts": "mine\n" });
});

it("replaces in the first line of a file with a byte-order mark, which stays before it", async () => {
  const files = project({ "a.ts": "\ufeffone\r\ntwo\r\n" });
  const expression = /^one/g;
  await replaceInFiles(
    [{ path: a, lines: [{ line: 1, text: "one" }] }],
    { ...one, expression },
    files,
  );
  expect(files.texts).toEqual({ "a.ts": "\ufeff1\r\ntwo\r\n" });
});

it("skips a changed line, a file that is not text, and a file that was changed meanwhile", async () => {
  const files = project({ "a.ts": "two one\n", "b.ts": undefined });
  const lines = [{ line: 1, text: "one" }];
  const done = await replaceInFiles(
    [a, b].map((path) => ({ path, lines })),
    one,
    files,
  );
  expect(done).toEqual({ files: [], skipped: ["a.ts", "b.ts"], stopped: 0 });
  files.texts["a.ts"] = "one\n";
  const { read } = files;
  files.read = async (path) => {
    const body = await read(path);
    files.texts["a.ts"] = "one more\n";
    return body;
  };
  expect((await replaceInFiles([{ path: a, lines }], one, files)).skipped).toEqual(["a.ts"]);
  expect(files.texts["a.ts"]).toBe("one more\n");
});

it("continues if a file cannot be read, reports its progress, and can undo what was done", async () => {
  const names = Array.from({ length: 40 }, (_, at) => toProjectPath(`${at}.ts`));
  const files = project(Object.fromEntries(names.map((name) => [name, "one\n"])));
  const { read } = files;
  files.read = (path) => (path === "7.ts" ? Promise.reject(new Error("gone")) : read(path));
  const reported: number[] = [];
  const onFile = (done: number) => reported.push(done);
  const found = names.map((path) => ({ path, lines: [{ line: 1, text: "one" }] }));
  const done = await replaceInFiles(found, one, { ...files, onFile });
  expect([linesOf(done), done.skipped]).toEqual([39, ["7.ts"]]);
  expect(reported).toEqual(names.map((_, at) => at + 1));
  expect(await undoReplace(done, files)).toEqual({ skipped: [], rest: [] });
  expect(Object.values(files.texts)).toEqual(names.map(() => "one\n"));
});

it("can be stopped: what was done is reported and undone, and undoing can be stopped as well", async () => {
  const names = Array.from({ length: 40 }, (_, at) => toProjectPath(`${at}.ts`));
  const files = project(Object.fromEntries(names.map((name) => [name, "one\n"])));
  const found = names.map((path) => ({ path, lines: [{ line: 1, text: "one" }] }));
  const stopAt = (at: number) => {
    const stop = new AbortController();
    const onFile = (done: number) => done === at && stop.abort();
    return { ...files, signal: stop.signal, onFile };
  };
  const changed = () => Object.values(files.texts).filter((text) => text === "1\n").length;
  const done = await replaceInFiles(found, one, stopAt(10));
  expect(done.files.length).toBeLessThan(40);
  expect([linesOf(done), changed(), 40 - done.stopped]).toEqual(
    Array.from({ length: 3 }, () => done.files.length),
  );
  expect(done.skipped).toEqual([]);
  const { skipped, rest } = await undoReplace(done, stopAt(2));
  expect([skipped, changed()]).toEqual([[], rest.length]);
  expect(rest.length).toBeGreaterThan(0);
  expect(await undoReplace({ files: rest }, files)).toEqual({ skipped: [], rest: [] });
  expect(changed()).toBe(0);
});
