import fc from "fast-check";
import { expect, it } from "vitest";
import { createMessageReader, framed, MESSAGE_BYTES } from "./message-reader.ts";

function readAll(bytes: Buffer, sizes: readonly number[]): string[] {
  const found: string[] = [];
  const read = createMessageReader((text) => found.push(text));
  let at = 0;
  for (let turn = 0; at < bytes.length; turn++) {
    const size = sizes[turn % sizes.length] ?? 1;
    read(bytes.subarray(at, at + size));
    at += size;
  }
  return found;
}

it("reads messages in chunks of any size, with any characters", () => {
  fc.assert(
    fc.property(
      fc.array(fc.string({ unit: "grapheme", minLength: 1, maxLength: 50 }), { maxLength: 6 }),
      fc.array(fc.integer({ min: 1, max: 40 }), { minLength: 1, maxLength: 5 }),
      (texts, sizes) => {
        const read = readAll(Buffer.concat(texts.map(framed)), sizes);
        expect(read).toEqual(texts.map((text) => Buffer.from(text).toString()));
      },
    ),
  );
});

it("accepts other header fields, and no message without a length", () => {
  const body = "Content-Type: a\r\ncontent-length: 2\r\n\r\n{}";
  expect(readAll(Buffer.from(body), [7])).toEqual(["{}"]);
  expect(() => readAll(Buffer.from("Content-Type: a\r\n\r\n{}"), [7])).toThrow("something other");
});

it("A90 rejects endless headers and messages that are too long, before buffering them", () => {
  expect(() => readAll(Buffer.alloc(10_000, "x"), [100])).toThrow("something other");
  const long = Buffer.from(`Content-Length: ${MESSAGE_BYTES + 1}\r\n\r\n`);
  expect(() => readAll(long, [50])).toThrow("the limit");
});
