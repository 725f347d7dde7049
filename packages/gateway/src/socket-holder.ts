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
 * @param ownBytes bytes on it that are Treadle's own pings and their answers: a client that only answers those is there, and
 * idle
 */
export function createSocketHolder(
  client: Duplex,
  {
    idleMs = IDLE_MS,
    endMs,
    ownBytes = () => 0,
  }: { idleMs?: number; endMs?: number; ownBytes?: (() => number) | undefined } = {},
): SocketHolder {
  let isAgreed = false;
  /** Bytes at the last look, and since when there are as many: all, and without those of the pings. */
  let [bytes, at] = [0, 0];
  let [saidBytes, saidAt] = [0, 0];
  let timer: NodeJS.Timeout | undefined;

  /** Looks at what was sent since the last look: it costs nothing while bytes go through. */
  function look(): void {
    const [now, all] = [performance.now(), bytesOf(client)];
    const value = all - ownBytes();
    if (value !== saidBytes) [saidBytes, saidAt] = [value, now];
    if (all !== bytes) [bytes, at] = [all, now];
    else if (endMs !== undefined && now - at >= endMs) client.destroy();
  }

  return {
    agreed() {
      isAgreed = true;
      bytes = saidBytes = bytesOf(client);
      at = saidAt = performance.now();
      timer = setInterval(look, idleMs / 2).unref();
      client.once("close", () => clearInterval(timer));
    },
    isIdle() {
      if (!isAgreed) return true;
      look();
      return performance.now() - saidAt >= idleMs;
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
