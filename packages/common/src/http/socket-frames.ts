import { Transform } from "node:stream";

/** The first bytes of a WebSocket frame, up to its payload (RFC 6455, 5.2). */
export interface FrameHead {
  bytes: Buffer;
  /** 8 is close, 9 ping, 10 pong; smaller numbers are messages. */
  opcode: number;
  /** Bytes of the payload. */
  length: number;
}

export interface FrameFilter {
  /** Takes the data of one side of a WebSocket, and outputs accepted frames. */
  stream: Transform;
  /** Whether all frames so far are complete, so that another one can be inserted. */
  isBetweenFrames(): boolean;
}

/**
 * Parses one side of a WebSocket, in chunks of any size, and passes on the frames that `passes`
 * accepts.
 */
export function createFrameFilter(passes: (head: FrameHead) => boolean): FrameFilter {
  let held = Buffer.alloc(0);
  /** Remaining bytes of the frame's payload, and whether they are passed on. */
  let rest = 0;
  let isPassing = true;

  const stream = new Transform({
    transform(chunk: Buffer, _encoding, done) {
      const bytes = held.length > 0 ? Buffer.concat([held, chunk]) : chunk;
      held = Buffer.alloc(0);
      let at = 0;
      /** Start of the bytes that are accepted but not pushed yet. */
      let from = 0;
      while (at < bytes.length) {
        if (rest === 0) {
          const head = readHead(bytes, at);
          if (!head) {
            held = Buffer.from(bytes.subarray(at));
            break;
          }
          const isNext = passes(head);
          if (isPassing && !isNext && at > from) this.push(bytes.subarray(from, at));
          if (!isPassing && isNext) from = at;
          isPassing = isNext;
          at += head.bytes.length;
          rest = head.length;
        }
        const size = Math.min(rest, bytes.length - at);
        rest -= size;
        at += size;
      }
      if (isPassing && at > from) this.push(bytes.subarray(from, at));
      done();
    },
  });
  return { stream, isBetweenFrames: () => rest === 0 && held.length === 0 };
}

/** Undefined while bytes of the head are missing. */
function readHead(bytes: Buffer, at: number): FrameHead | undefined {
  const second = bytes[at + 1];
  if (second === undefined) return undefined;
  const short = second & 0x7f;
  const mask = (second & 0x80) === 0 ? 0 : 4;
  const size = 2 + (short === 126 ? 2 : short === 127 ? 8 : 0) + mask;
  if (bytes.length - at < size) return undefined;
  const head = bytes.subarray(at, at + size);
  let length = short;
  if (short === 126) length = head.readUInt16BE(2);
  if (short === 127) length = Number(head.readBigUInt64BE(2));
  return { bytes: head, opcode: bytes[at]! & 0x0f, length };
}
