import { describe, expect, it } from "vitest";
import { createFrameReader, encodeFrame, MAX_FRAME, type Frame } from "./frames.ts";

function read(bytes: Buffer, cut: number): { frames: Frame[]; broken: string[] } {
  const frames: Frame[] = [];
  const broken: string[] = [];
  const take = createFrameReader({
    onFrame: (frame) => frames.push(frame),
    onBroken: (why) => broken.push(why),
  });
  for (let at = 0; at < bytes.length; at += cut) take(bytes.subarray(at, at + cut));
  return { frames, broken };
}

const raw = (header: string, total?: number) => {
  const prefix = Buffer.alloc(8);
  prefix.writeUInt32BE(total ?? 4 + Buffer.byteLength(header), 0);
  prefix.writeUInt32BE(Buffer.byteLength(header), 4);
  return Buffer.concat([prefix, Buffer.from(header)]);
};

describe("frames", () => {
  it("are the same however the bytes are split", () => {
    const bytes = Buffer.concat([
      ...encodeFrame({ a: "é" }, Buffer.from([1, 2, 3])),
      ...encodeFrame({ b: 1 }),
      ...encodeFrame(null, Buffer.alloc(50, 7)),
    ]);
    const all = read(bytes, bytes.length);
    expect(all.frames).toHaveLength(3);
    for (let cut = 1; cut < bytes.length; cut++) {
      const { frames, broken } = read(bytes, cut);
      expect(broken).toEqual([]);
      expect(frames.map(({ header, body }) => [header, [...body]])).toEqual(
        all.frames.map(({ header, body }) => [header, [...body]]),
      );
    }
  });

  it.each([
    ["that are no JSON", raw("{nonsense")],
    ["over the limit", raw("{}", MAX_FRAME + 1)],
    ["shorter than their own header", raw("{}", 3)],
  ])("%s break the stream once, and nothing is read afterwards", (_, bytes) => {
    const after = Buffer.concat([bytes, ...encodeFrame({ later: true })]);
    for (const cut of [1, 7, after.length]) {
      const { frames, broken } = read(after, cut);
      expect(frames).toEqual([]);
      expect(broken).toHaveLength(1);
    }
  });

  it("break the stream, not the program, if a listener throws", () => {
    const broken: string[] = [];
    const take = createFrameReader<{ ports: number[] }>({
      onFrame: ({ header }) => void header.ports.map(String),
      onBroken: (why) => broken.push(why),
    });
    take(Buffer.concat(encodeFrame({ ports: null })));
    expect(broken).toHaveLength(1);
  });

  it("are not sent if the other side would refuse them", () => {
    expect(() => encodeFrame({}, new Uint8Array(MAX_FRAME - 6))).not.toThrow();
    expect(() => encodeFrame({}, new Uint8Array(MAX_FRAME - 5))).toThrow(RangeError);
  });
});
