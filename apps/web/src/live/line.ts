import type { LinePaths } from "../api/line-paths.ts";
import type { Line, LineListeners } from "./line-types.ts";
import { openStreamLine } from "./stream-line.ts";

/** A handshake that has received nothing within this time is blocked by an intermediary. */
const HANDSHAKE_MS = 5_000;
/** How long blocked WebSockets are not retried. */
const REFUSED_MS = 10 * 60_000;

let refusedUntil = 0;

/**
 * Opens a WebSocket, or, if an intermediary blocks it (by refusing the handshake or silently), reads server-sent events
 * instead. If only the events get through, all connections of the page use events at once for the next ten minutes.
 */
export function openLine(paths: LinePaths, listeners: LineListeners): Line {
  if (Date.now() < refusedUntil) return openStreamLine(paths, listeners);
  const { protocol, host } = location;
  const socket = new WebSocket(`${protocol === "https:" ? "wss:" : "ws:"}//${host}${paths.socket}`);
  let stream: Line | undefined;
  let isOpen = false;
  let isOver = false;
  const end = () => {
    if (isOver || stream) return;
    clearTimeout(late);
    socket.close();
    if (isOpen) {
      isOver = true;
      return listeners.onEnd(undefined);
    }
    // A browser does not say why a handshake failed. If the server is gone, this request fails as well and reports why.
    stream = openStreamLine(paths, {
      ...listeners,
      onOpen() {
        refusedUntil = Date.now() + REFUSED_MS;
        listeners.onOpen();
      },
    });
  };
  const late = setTimeout(end, HANDSHAKE_MS);
  socket.addEventListener("open", () => {
    if (isOver || stream) return;
    isOpen = true;
    clearTimeout(late);
    listeners.onOpen();
  });
  socket.addEventListener("message", (event: MessageEvent<string>) => {
    if (isOver || stream) return;
    listeners.onAlive();
    listeners.onMessage(event.data);
  });
  socket.addEventListener("close", end);
  return {
    send(message) {
      if (stream) stream.send(message);
      else if (socket.readyState === WebSocket.OPEN) socket.send(message);
    },
    close() {
      isOver = true;
      clearTimeout(late);
      socket.close();
      stream?.close();
    },
  };
}
