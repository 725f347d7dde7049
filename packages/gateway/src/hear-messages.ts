import { Transform } from "node:stream";
import { createFrameFilter } from "@treadle/common";

/** Opcodes from here on say that a socket closes, or is still there (RFC 6455, 5.5). */
const CONTROL = 8;

/**
 * Passes on what a client says after an upgrade, and calls back for each message. That a page closes its socket is none, as
 * every page does that is left.
 * @param protocol the one that was upgraded to; of another than WebSocket each piece counts as a message
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
