import type { Duplex, Transform } from "node:stream";
import { createFrameFilter, type FrameHead } from "@treadle/common";

/** How long a client may be silent before it is asked whether it is still there, in milliseconds. */
export const PING_MS = 60_000;
/** Consecutive pings that may stay unanswered. A slow client receives them after the data it still has to read. */
const UNANSWERED_PINGS = 3;

const PONG = 10;
/** A ping without a payload (RFC 6455, 5.5.2). */
const PING_FRAME = Buffer.from([0x89, 0]);

/** Monitors the client of one WebSocket, invisibly for the app. */
export interface SocketPings {
  /** The transform for the app's data, which inserts pings between frames. */
  toClient: Transform;
  /** The transform for the client's data, which removes the answers to these pings. */
  toApp: Transform;
  /** Call once the app has accepted the upgrade. */
  start(): void;
  /** Bytes on the client's connection that are pings and their answers. */
  ownBytes(): number;
}

/**
 * Pings a silent client, and closes its connection if it does not answer.
 * @param pingMs silence before the first ping, and time for each answer; the connection is closed
 * after the fourth interval
 */
export function createSocketPings(client: Duplex, pingMs = PING_MS): SocketPings {
  let unanswered = 0;
  let ownBytes = 0;

  function isOurPong({ opcode, length, bytes }: FrameHead): boolean {
    if (unanswered === 0 || opcode !== PONG || length > 0) return false;
    ownBytes += bytes.length;
    return true;
  }
  const fromApp = createFrameFilter(() => true);
  const fromClient = createFrameFilter((head) => {
    const isOurs = isOurPong(head);
    unanswered = 0;
    return !isOurs;
  });

  let before = 0;
  function look(): void {
    const now = bytesRead(client);
    if (now !== before) {
      before = now;
      unanswered = 0;
      return;
    }
    // Nothing can be inserted in the middle of the app's frame: its silence has a separate limit.
    if (!fromApp.isBetweenFrames()) return;
    if (unanswered >= UNANSWERED_PINGS) return void client.destroy();
    unanswered++;
    ownBytes += PING_FRAME.length;
    fromApp.stream.push(PING_FRAME);
  }

  return {
    toClient: fromApp.stream,
    toApp: fromClient.stream,
    start() {
      const timer = setInterval(look, pingMs).unref();
      client.once("close", () => clearInterval(timer));
    },
    ownBytes: () => ownBytes,
  };
}

const bytesRead = (stream: Duplex) => (stream as Partial<{ bytesRead: number }>).bytesRead ?? 0;
