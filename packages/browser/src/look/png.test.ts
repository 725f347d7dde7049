import { deflateSync } from "node:zlib";
import { expect, it } from "vitest";
import { readPng } from "./png.ts";

function png(width: number, height: number, lines: Uint8Array): Buffer {
  const chunk = (type: string, data: Uint8Array) => {
    const head = Buffer.alloc(8);
    head.writeUInt32BE(data.length, 0);
    head.write(type, 4, "latin1");
    return Buffer.concat([head, data, Buffer.alloc(4)]);
  };
  const header = Buffer.alloc(13);
  header.writeUInt32BE(width, 0);
  header.writeUInt32BE(height, 4);
  header.set([8, 2, 0, 0, 0], 8);
  const mark = Buffer.from("89504e470d0a1a0a", "hex");
  return Buffer.concat([mark, chunk("IHDR", header), chunk("IDAT", deflateSync(lines))]);
}

it("decodes a picture pixel by pixel", () => {
  const { width, height, data } = readPng(png(1, 2, Buffer.from([0, 1, 2, 3, 2, 1, 1, 1])));
  expect([width, height, [...data]]).toEqual([1, 2, [1, 2, 3, 2, 3, 4]]);
});

it.each([
  ["says that it is as large as a town", png(60_000, 60_000, Buffer.alloc(10))],
  ["says that it has no end", png(2 ** 32 - 1, 2 ** 32 - 1, Buffer.alloc(10))],
  ["becomes more than it says", png(1, 1, Buffer.alloc(50_000_000))],
])("A99 rejects a picture that %s", (_, bytes) => {
  expect(() => readPng(bytes)).toThrow();
});
