import { expect, it } from "vitest";
import { controlFrames } from "./control-frames.ts";

/** A frame as a browser sends it. */
function frame(first: number, body: Buffer): Buffer {
  const { length } = body;
  const size =
    length < 126
      ? Buffer.from([0x80 | length])
      : length < 65_536
        ? Buffer.from([0x80 | 126, length >> 8, length & 255])
        : Buffer.from([0x80 | 127, 0, 0, 0, 0, 0, length >> 16, (length >> 8) & 255, length & 255]);
  return Buffer.concat([Buffer.from([first]), size, Buffer.from([1, 2, 3, 4]), body]);
}

it("passes on pings, pongs and closes and no message, wherever the data is split", async () => {
  const ping = frame(0x89, Buffer.from("ping"));
  const pong = frame(0x8a, Buffer.alloc(0));
  const end = frame(0x88, Buffer.from([3, 232]));
  const all = Buffer.concat([
    frame(0x81, Buffer.from("text")),
    ping,
    frame(0x02, Buffer.alloc(300, 0x89)),
    pong,
    frame(0x80, Buffer.alloc(70_000, 0x88)),
    end,
  ]);
  for (const cut of [1, 7, 4_096, all.length]) {
    const filter = controlFrames();
    const passed: Buffer[] = [];
    filter.on("data", (piece: Buffer) => passed.push(piece));
    for (let at = 0; at < all.length; at += cut) filter.write(all.subarray(at, at + cut));
    filter.end();
    await new Promise((resolve) => filter.once("end", resolve));
    expect(Buffer.concat(passed)).toEqual(Buffer.concat([ping, pong, end]));
  }
});
