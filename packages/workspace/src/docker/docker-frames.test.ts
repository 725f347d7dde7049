import { expect, test } from "vitest";
import { createDockerFrames } from "./docker-frames.ts";

const frame = (kind: number, text: string) => {
  const header = Buffer.alloc(8);
  header[0] = kind;
  header.writeUInt32BE(Buffer.byteLength(text), 4);
  return Buffer.concat([header, Buffer.from(text)]);
};

test("separates output and errors, wherever the bytes are split", async () => {
  const all = Buffer.concat([
    frame(1, "one "),
    frame(2, "oh"),
    frame(1, ""),
    frame(1, "two"),
    frame(2, "no"),
  ]);
  for (let size = 1; size <= all.length; size++) {
    let errors = "";
    let output = "";
    const frames = createDockerFrames((bytes) => (errors += bytes.toString()));
    frames.on("data", (bytes: Buffer) => (output += bytes.toString()));
    for (let at = 0; at < all.length; at += size) frames.write(all.subarray(at, at + size));
    frames.end();
    await new Promise((resolve) => frames.once("end", resolve));
    expect([output, errors]).toEqual(["one two", "ohno"]);
  }
});

test("pauses a container that prints faster than it is read, even in the middle of a frame", () => {
  const frames = createDockerFrames(() => undefined);
  const bytes = frame(1, "x".repeat(4 * 1024 * 1024));
  let taken = 0;
  for (; taken < bytes.length && !frames.writableNeedDrain; taken += 16_384)
    frames.write(bytes.subarray(taken, taken + 16_384));
  expect(taken).toBeLessThan(256 * 1024);
});
