import type { Socket } from "./terminal-socket.ts";

/** Number of bytes queued for a slow client that still count as in transit. */
const WAITING_BYTES = 64 * 1024;
/** Interval of heartbeats, in milliseconds: less than the minute after which proxies close a silent connection. */
const HEARTBEAT_MS = 15_000;

/** A terminal's connection in two halves, for networks that block WebSockets. */
export interface TerminalStream {
  /**
   * Data for the page as server-sent events: one event per message, and `close` with its code at
   * the end.
   */
  body: ReadableStream<Uint8Array>;
  /** The socket for `joinTerminal`. */
  socket: Socket;
  /** Accepts a message of the page, as from a WebSocket. */
  take(text: string): void;
}

/**
 * Creates a connection whose messages are exchanged by ordinary requests.
 * @param key identifies this connection in the page's requests, and is sent to the page first
 * @param onGone called when the page disconnects or the terminal closes
 */
export function createTerminalStream(key: string, onGone: () => void): TerminalStream {
  const encoder = new TextEncoder();
  let messages: ((data: Buffer, binary: boolean) => void)[] = [];
  let closings: (() => void)[] = [];
  let sent: (() => void)[] = [];
  let controller: ReadableStreamDefaultController<Uint8Array>;
  let heartbeat: ReturnType<typeof setInterval>;
  let hasEnded = false;

  const put = (text: string) => controller.enqueue(encoder.encode(text));
  const event = (name: string, data: string) => put(`event: ${name}\ndata: ${data}\n\n`);
  const waiting = () => WAITING_BYTES - (controller.desiredSize ?? 0);
  const drained = () => {
    for (const listener of sent.splice(0)) listener();
  };
  const gone = () => {
    if (hasEnded) return;
    hasEnded = true;
    clearInterval(heartbeat);
    onGone();
    for (const listener of closings) listener();
    drained();
    messages = [];
    closings = [];
  };

  const body = new ReadableStream<Uint8Array>(
    {
      start(made) {
        controller = made;
        event("joined", JSON.stringify({ key }));
        heartbeat = setInterval(() => {
          if (waiting() === 0) put(":\n\n");
        }, HEARTBEAT_MS);
      },
      pull: drained,
      cancel: gone,
    },
    { highWaterMark: WAITING_BYTES, size: (chunk) => chunk?.byteLength ?? 0 },
  );

  const socket: Socket = {
    get bufferedAmount() {
      return hasEnded ? 0 : Math.max(0, waiting());
    },
    send(text, onSent) {
      if (hasEnded) return onSent?.();
      sent.push(onSent ?? (() => {}));
      event("message", text);
    },
    close(code, reason = "") {
      if (hasEnded) return;
      event("close", JSON.stringify({ code, reason }));
      controller.close();
      gone();
    },
    on(kind: string, listener: (...args: never[]) => void) {
      if (kind === "message") messages.push(listener as (typeof messages)[number]);
      else closings.push(listener as () => void);
    },
  };
  return {
    body,
    socket,
    take(text) {
      for (const listener of messages) listener(Buffer.from(text), false);
    },
  };
}
