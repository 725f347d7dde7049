import { buffer } from "node:stream/consumers";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { hearMessages } from "./hear-messages.ts";

/** A client's frame, masked with zeros. */
function frame(opcode: number, length: number): Buffer {
  const size =
    length < 126 ? [0x80 | length] : [0x80 | 126, ...[length >> 8, length & 0xff].map(Number)];
  return Buffer.from([0x80 | opcode, ...size, 0, 0, 0, 0, ...Array<number>(length).fill(7)]);
}

async function hear(protocol: string, pieces: readonly Buffer[]) {
  let messages = 0;
  const stream = hearMessages(protocol, () => messages++);
  for (const piece of pieces) stream.write(piece);
  stream.end();
  return { passed: await buffer(stream), messages };
}

describe("messages of a client on a WebSocket", () => {
  it("are counted per frame, however they are split, without close, ping and pong frames", async () => {
    const frames = fc.array(
      fc.tuple(fc.constantFrom(0, 1, 2, 8, 9, 10), fc.constantFrom(0, 1, 125, 126, 400)),
      { maxLength: 8 },
    );
    await fc.assert(
      fc.asyncProperty(frames, fc.integer({ min: 1, max: 50 }), async (list, size) => {
        const bytes = Buffer.concat(list.map(([opcode, length]) => frame(opcode, length)));
        const pieces = Array.from({ length: Math.ceil(bytes.length / size) }, (_, at) =>
          bytes.subarray(at * size, (at + 1) * size),
        );
        const heard = await hear("WebSocket", pieces);
        expect(heard.passed).toEqual(bytes);
        expect(heard.messages).toBe(list.filter(([opcode]) => opcode < 8).length);
      }),
    );
  });

  it("are counted per chunk for another protocol", async () => {
    const { messages, passed } = await hear("h2c", [frame(8, 0)]);
    expect([messages, passed]).toEqual([1, frame(8, 0)]);
  });
});
