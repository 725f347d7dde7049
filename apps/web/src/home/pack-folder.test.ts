import { unzipSync, strFromU8 } from "fflate";
import { expect, it } from "vitest";
import { packFolder } from "./pack-folder.ts";

const createSignal = () => new AbortController().signal;

it("contains every file of a folder, by its relative path", async () => {
  const large = new Uint8Array(20 * 1024 * 1024).fill(7);
  const archive = await packFolder(
    [
      { file: new Blob(["<p>hi</p>"]), path: "index.html" },
      { file: new Blob(["export const plan = 1;\n"]), path: "src/coverage/計画.js" },
      { file: new Blob([]), path: "empty.txt" },
      { file: new Blob([large]), path: "large.bin" },
    ],
    createSignal(),
  );
  const files = unzipSync(new Uint8Array(await archive.arrayBuffer()));
  expect(Object.keys(files)).toEqual([
    "index.html",
    "src/coverage/計画.js",
    "empty.txt",
    "large.bin",
  ]);
  expect(strFromU8(files["src/coverage/計画.js"]!)).toBe("export const plan = 1;\n");
  expect(files["empty.txt"]).toHaveLength(0);
  expect(Buffer.compare(files["large.bin"]!, large)).toBe(0);
});

it("stops on abort, and if a file cannot be read", async () => {
  const ended = AbortSignal.abort(new Error("ended"));
  await expect(packFolder([{ file: new Blob(["a"]), path: "a" }], ended)).rejects.toThrow("ended");
  const gone = { stream: () => new ReadableStream({ start: (it) => it.error(new Error("gone")) }) };
  const files = [{ file: gone as unknown as Blob, path: "a" }];
  await expect(packFolder(files, createSignal())).rejects.toThrow("gone");
});
