import type { LogEntry } from "@treadle/protocol";
import type { WebSocket } from "ws";

/** Number of unsent bytes at which the log waits for a slow client (F19). */
const WAITING_BYTES = 256 * 1024;
/**
 * Interval of heartbeats, in milliseconds: shorter than the minute after which proxies close a silent connection.
 */
const HEARTBEAT_MS = 15_000;

/**
 * Sends the log to the page: each message is a JSON array of entries; an empty one is a heartbeat.
 * `"reset"` comes first if the client knows more entries than exist, and the newest entries as
 * `{latest}` if it should show those first. Same content as the server-sent events, of which a
 * browser allows only six connections for all of its windows.
 */
export function joinEvents(
  socket: Pick<WebSocket, "bufferedAmount" | "send" | "close" | "on">,
  follow: (listener: (entries: LogEntry[]) => Promise<void> | void) => () => void,
  options: {
    reset: boolean;
    latest?: LogEntry[] | undefined;
    onClose(close: () => void): () => void;
  },
): void {
  const send = (message: LogEntry[] | { latest: LogEntry[] } | "reset", sent?: () => void) =>
    socket.send(JSON.stringify(message), sent);
  if (options.reset) send("reset");
  // Sent at once, so that the client knows that it is connected.
  send([]);
  if (options.latest) send({ latest: options.latest });
  const stop = follow((entries) => {
    if (socket.bufferedAmount < WAITING_BYTES) return send(entries);
    // `resolve` is called when the entries are sent, or never will be.
    return new Promise((resolve) => send(entries, resolve));
  });
  const heartbeat = setInterval(() => {
    if (socket.bufferedAmount === 0) send([]);
  }, HEARTBEAT_MS);
  const forget = options.onClose(() => socket.close(1012, "over"));
  socket.on("close", () => {
    stop();
    clearInterval(heartbeat);
    forget();
  });
}
