import type { Duplex } from "node:stream";

/** Milliseconds for the other side to receive the last data and close. */
const LINGER_MS = 2_000;

/**
 * Sends the last data on a connection and closes it. With `end` alone it would stay open as long as the other side
 * likes, because sockets handed over by an HTTP server may be half open. Does nothing on the second call.
 */
export function endSoon(socket: Duplex, words: string | Uint8Array): void {
  if (socket.destroyed || socket.writableEnded) return;
  const timer = setTimeout(() => socket.destroy(), LINGER_MS).unref();
  socket.once("close", () => clearTimeout(timer));
  // Remaining data of the other side is discarded, since unread data would delay its end.
  socket.resume();
  socket.end(words);
}
