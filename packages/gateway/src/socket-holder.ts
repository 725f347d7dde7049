import type { Duplex } from "node:stream";
import type { Holder } from "./places.ts";

/** Silence in milliseconds after which a WebSocket may lose its place to another. */
const IDLE_MS = 60_000;

export interface SocketHolder extends Holder {
  /** Call when the app has answered: from now on the WebSocket is idle only if it is silent. */
  agreed(): void;
}

/**
 * Decides whether a WebSocket may lose its place. It is idle if the app has not accepted it, or if neither side has
 * sent anything for a minute.
 * @param endMs milliseconds of silence after which it is closed in any case; undefined for never
 * @param ownBytes bytes of Treadle's own pings and their answers, which do not count: a client that only answers pings
 * is connected but idle
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
  /** Byte counts at the last check, and since when they are unchanged: all, and without pings. */
  let [bytes, at] = [0, 0];
  let [saidBytes, saidAt] = [0, 0];
  let timer: NodeJS.Timeout | undefined;

  /** Compares the byte counts with those of the last check, so that traffic itself costs nothing. */
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

/** Bytes transferred in both directions. Streams that count no bytes are never considered silent. */
function bytesOf(stream: Duplex): number {
  const { bytesRead, bytesWritten } = stream as Partial<{
    bytesRead: number;
    bytesWritten: number;
  }>;
  return bytesRead === undefined ? performance.now() : bytesRead + (bytesWritten ?? 0);
}
