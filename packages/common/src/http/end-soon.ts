import type { Duplex } from "node:stream";

/** For the other side to take what was said last, and to end. Milliseconds. */
const LINGER_MS = 2_000;

/**
 * Says the last word on a connection and lets it go. Ended alone it would stand for as long as the other side likes, as what
 * an HTTP server hands over may be half open. Does nothing if the last word was said before.
 */
export function endSoon(socket: Duplex, words: string | Uint8Array): void {
  if (socket.destroyed || socket.writableEnded) return;
  const timer = setTimeout(() => socket.destroy(), LINGER_MS).unref();
  socket.once("close", () => clearTimeout(timer));
  // What the other side still says is read by nobody, and would hold its end back.
  socket.resume();
  socket.end(words);
}
