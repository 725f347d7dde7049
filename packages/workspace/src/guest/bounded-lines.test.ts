import { Readable } from "node:stream";
import { expect, it } from "vitest";
import { boundedLines } from "./bounded-lines.ts";

async function linesOf(pieces: (string | Buffer)[], most: number) {
  const bytes = pieces.map((piece) => Buffer.from(piece as string));
  const found: (string | undefined)[] = [];
  for await (const line of boundedLines(Readable.from(bytes), most)) found.push(line);
  return found;
}

it("splits at line feeds only, wherever chunks begin and end", async () => {
  const text = "one\nzwei 🙂\u2028 \r x\n\nlast";
  const bytes = Buffer.from(text);
  const each = Array.from(bytes, (_, at) => bytes.subarray(at, at + 1));
  expect(await linesOf(each, 100)).toEqual(text.split("\n"));
  expect(await linesOf([text, "\n"], 100)).toEqual(text.split("\n"));
});

it("A107 skips a line that is too long without buffering it", async () => {
  expect(
    await linesOf(["a\n", "x".repeat(50), "x".repeat(51), "\nb\n", "y".repeat(200)], 100),
  ).toEqual(["a", undefined, "b", undefined]);
});
