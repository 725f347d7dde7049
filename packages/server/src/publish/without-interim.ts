import type { Duplex } from "node:stream";
import { ANSWER_HEAD_BYTES } from "@treadle/workspace";

/** What is said before an answer; not 101, which is one. */
const INTERIM = /^HTTP\/1\.[01] 1(?!01)\d\d[ \r\n]/;
/** Bytes by which it is known. */
const KNOWN_BY = "HTTP/1.1 100 ".length;
const END = "\r\n\r\n";

/**
 * Takes out of what is read from an app what it says before its answer. It may do so unasked (RFC 9110, 15.2), and undici
 * takes a `100 Continue` for the end of a connection.
 * @returns to be called when the next answer is waited for; at first it is
 */
export function withoutInterim(stream: Duplex): () => void {
  let isBefore = true;
  let held: Buffer = Buffer.alloc(0);
  const read = stream.read.bind(stream) as (size?: number) => Buffer | null;
  // Not one more stream between: each piece of each answer goes through here.
  stream.read = (size) => {
    // Streams ask themselves for more so, and take nothing.
    if (size === 0) return read(0);
    for (;;) {
      const piece = read();
      if (piece === null || !isBefore) return piece;
      held = held.length === 0 ? piece : Buffer.concat([held, piece]);
      for (;;) {
        const isInterim = INTERIM.test(held.toString("latin1", 0, KNOWN_BY));
        const end = isInterim ? held.indexOf(END) : -1;
        if (end === -1) {
          if (isInterim ? held.length <= ANSWER_HEAD_BYTES : mayBecome(held)) break;
          isBefore = false;
          const all = held;
          held = Buffer.alloc(0);
          return all;
        }
        held = held.subarray(end + END.length);
      }
    }
  };
  return () => {
    isBefore = true;
  };
}

/** Whether so few bytes may still be the beginning of one. */
const mayBecome = (held: Buffer) =>
  held.length < KNOWN_BY &&
  "HTTP/1.1 1".startsWith(held.toString("latin1", 0, 10).replace("/1.0", "/1.1"));
