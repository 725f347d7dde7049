import { once } from "node:events";
import { expect, it } from "vitest";
import { createFrameFilter } from "./socket-frames.ts";

/** Small pseudo-random numbers, the same for each seed. */
function randomOf(seed: number): (below: number) => number {
  let state = seed;
  return (below) => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
    return Math.floor((state / 2 ** 32) * below);
  };
}

function frame(opcode: number, isMasked: boolean, length: number): Buffer {
  const mask = isMasked ? 0x80 : 0;
  const head = Buffer.alloc(length < 126 ? 2 : length < 65_536 ? 4 : 10);
  head[0] = 0x80 | opcode;
  if (head.length === 2) head[1] = mask | length;
  if (head.length === 4) head.writeUInt16BE(length, 2);
  if (head.length === 10) head.writeBigUInt64BE(BigInt(length), 2);
  if (head.length === 4) head[1] = mask | 126;
  if (head.length === 10) head[1] = mask | 127;
  return Buffer.concat([head, Buffer.alloc(isMasked ? 4 : 0, 7), Buffer.alloc(length, 0x8a)]);
}

it("passes on complete accepted frames and nothing of others, wherever the data is split", async () => {
  for (let seed = 1; seed <= 60; seed++) {
    const random = randomOf(seed);
    const frames = Array.from({ length: 1 + random(12) }, () => ({
      opcode: [0, 1, 2, 8, 9, 10][random(6)]!,
      length: [0, 1, 125, 126, 300, 65_535, 65_536, 70_000][random(8)]!,
      isMasked: random(2) === 0,
    }));
    const all = frames.map(({ opcode, isMasked, length }) => frame(opcode, isMasked, length));
    const refused = random(11);
    const filter = createFrameFilter(({ opcode }) => opcode !== refused);
    const passed: Buffer[] = [];
    filter.stream.on("data", (piece: Buffer) => passed.push(piece));
    const bytes = Buffer.concat(all);
    for (let at = 0; at < bytes.length;) {
      const size = 1 + random([3, 200, 50_000][random(3)]!);
      filter.stream.write(bytes.subarray(at, at + size));
      at += size;
    }
    filter.stream.end();
    await once(filter.stream, "end");
    const expected = all.filter((_, index) => frames[index]!.opcode !== refused);
    expect(Buffer.concat(passed).equals(Buffer.concat(expected)), `seed ${seed}`).toBe(true);
    expect(filter.isBetweenFrames()).toBe(true);
  }
});

it("detects an incomplete frame", () => {
  const filter = createFrameFilter(() => true);
  const bytes = frame(1, true, 3);
  const states: boolean[] = [];
  filter.stream.resume();
  for (const byte of bytes) {
    filter.stream.write(Buffer.from([byte]));
    states.push(filter.isBetweenFrames());
  }
  expect(states).toEqual([...Array<boolean>(bytes.length - 1).fill(false), true]);
});
