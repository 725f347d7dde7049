import { Transform } from "node:stream";
import { createFrameFilter } from "@treadle/common";

/** Opcodes from here on are control frames: close, ping, pong (RFC 6455, 5.5). */
const CONTROL = 8;

/**
 * Passes on a client's data after an upgrade, and calls back for each message. Closing a WebSocket
 * does not count, because every page does that when it is left.
 * @param protocol the upgraded protocol; for others than WebSocket each chunk counts as a message
 */
export function hearMessages(protocol: string | undefined, onMessage: () => void): Transform {
  if (protocol?.toLowerCase() === "websocket")
    return createFrameFilter(({ opcode }) => {
      if (opcode < CONTROL) onMessage();
      return true;
    }).stream;
  return new Transform({
    transform(piece: Buffer, _encoding, done) {
      onMessage();
      done(null, piece);
    },
  });
}
