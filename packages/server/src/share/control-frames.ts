import { Transform } from "node:stream";

/**
 * Of what a client says in a WebSocket passes on what keeps that open or ends it (ping, pong, close), and none of its messages
 * (RFC 6455, 5.2: the first byte says which it is, the second and those behind it how long it is).
 */
export function controlFrames(): Transform {
  let head = Buffer.alloc(0);
  /** Bytes of the frame that are still to come, and whether they go through. */
  let rest = 0n;
  let passes = false;
  return new Transform({
    transform(chunk: Buffer, _encoding, done) {
      let at = 0;
      while (at < chunk.length) {
        if (rest > 0n) {
          const left = chunk.length - at;
          const size = rest < BigInt(left) ? Number(rest) : left;
          if (passes) this.push(chunk.subarray(at, at + size));
          rest -= BigInt(size);
          at += size;
          continue;
        }
        head = Buffer.concat([head, chunk.subarray(at, at + 1)]);
        at++;
        const size = headSize(head);
        if (size === undefined || head.length < size) continue;
        passes = (head[0]! & 0x08) !== 0;
        rest = bodySize(head);
        if (passes) this.push(head);
        head = Buffer.alloc(0);
      }
      done();
    },
  });
}

/** Undefined where not even that is known yet. */
function headSize([, second]: Buffer): number | undefined {
  if (second === undefined) return undefined;
  const length = second & 0x7f;
  const mask = (second & 0x80) === 0 ? 0 : 4;
  return 2 + (length === 126 ? 2 : length === 127 ? 8 : 0) + mask;
}

function bodySize(head: Buffer): bigint {
  const length = head[1]! & 0x7f;
  if (length === 126) return BigInt(head.readUInt16BE(2));
  return length === 127 ? head.readBigUInt64BE(2) : BigInt(length);
}
