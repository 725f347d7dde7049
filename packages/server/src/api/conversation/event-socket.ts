import type { LogEntry } from "@treadle/protocol";
import type { WebSocket } from "ws";

/** Bytes that wait for a slow client before the log is read on (F19). */
const WAITING_BYTES = 256 * 1024;
/** Below the minute after which proxies take a silent connection for dead. */
const HEARTBEAT_MS = 15_000;

/**
 * The log as the page follows it: a message is a JSON array of entries; an empty one says that the connection is
 * alive. `"reset"` comes first where the client knows more than there is, and the newest entries as `{latest}` where it is
 * to show those before all. The same as the server-sent events, of
 * which a browser has no more than six at once for all of its windows.
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
  // Something at once, so that the client knows that it is connected before anything happens.
  send([]);
  if (options.latest) send({ latest: options.latest });
  const stop = follow((entries) => {
    if (socket.bufferedAmount < WAITING_BYTES) return send(entries);
    // Called when it is sent, or never will be.
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
