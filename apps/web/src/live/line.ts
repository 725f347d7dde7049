import type { LinePaths } from "../api/line-paths.ts";
import type { Line, LineListeners } from "./line-types.ts";
import { openStreamLine } from "./stream-line.ts";

/** A handshake that has brought nothing by then is held up by something in between. */
const HANDSHAKE_MS = 5_000;
/** For so long sockets that do not come through are not tried again. */
const REFUSED_MS = 10 * 60_000;

let refusedUntil = 0;

/**
 * Opens a WebSocket, and where something in between lets none through (it refuses the handshake, or says nothing), reads
 * server-sent events instead. Which of the two works is remembered for a while, for all connections of the page.
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
    // A browser does not say why a handshake failed. Where it is the server that is gone, this fails as well and says why.
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
