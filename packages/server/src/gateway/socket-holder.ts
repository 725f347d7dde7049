import type { Duplex } from "node:stream";
import type { Holder } from "./places.ts";

/** A socket on which nothing was sent for so long loses its place if somebody else needs it. Milliseconds. */
const IDLE_MS = 60_000;

export interface SocketHolder extends Holder {
  /** The app has answered: from now on the socket is idle only if it is silent. */
  agreed(): void;
}

/**
 * A WebSocket's claim to its place. One that the app has not answered yet is idle, and so is one on which neither side has
 * said anything for a minute.
 * @param endMs one that was silent for so long ends in any case; undefined for never
 */
export function createSocketHolder(
  client: Duplex,
  { idleMs = IDLE_MS, endMs }: { idleMs?: number; endMs?: number } = {},
): SocketHolder {
  let isAgreed = false;
  let [bytes, at] = [0, 0];
  let timer: NodeJS.Timeout | undefined;

  /** Looks at what was sent since the last look: it costs nothing while bytes go through. */
  function look(): void {
    const now = bytesOf(client);
    if (now !== bytes) [bytes, at] = [now, performance.now()];
    else if (endMs !== undefined && performance.now() - at >= endMs) client.destroy();
  }

  return {
    agreed() {
      isAgreed = true;
      [bytes, at] = [bytesOf(client), performance.now()];
      timer = setInterval(look, idleMs / 2).unref();
      client.once("close", () => clearInterval(timer));
    },
    isIdle() {
      if (!isAgreed) return true;
      look();
      return performance.now() - at >= idleMs;
    },
    end: () => client.destroy(),
  };
}

/** Bytes that went through a connection, both ways. Streams that count none are never silent. */
function bytesOf(stream: Duplex): number {
  const { bytesRead, bytesWritten } = stream as Partial<{
    bytesRead: number;
    bytesWritten: number;
  }>;
  return bytesRead === undefined ? performance.now() : bytesRead + (bytesWritten ?? 0);
}
