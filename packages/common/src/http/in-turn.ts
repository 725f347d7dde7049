import type { IncomingMessage, ServerResponse } from "node:http";
import type { Duplex } from "node:stream";

/**
 * Requests of one connection that Node has parsed and no handler has taken. Node parses a received chunk (64 KB)
 * completely, so there may be two thousand.
 */
const MAX_WAITING_REQUESTS = 4_096;

type Handle = (request: IncomingMessage, response: ServerResponse) => void;

/** The requests of one connection. */
interface Line {
  isBusy: boolean;
  /** Called when the current request has been answered, or abandoned. */
  onClose(): void;
  waiting: [IncomingMessage, ServerResponse][];
}

/** Handles the requests of each connection one after the other. */
export interface Turns {
  handle: Handle;
  /** Whether a request of this connection has not been answered yet. */
  isBusy(socket: Duplex): boolean;
}

/**
 * Handles one request per connection at a time. Responses have to be sent in order, so a second
 * active request would only occupy a place of an app. Nothing more is read from the connection
 * while one waits.
 */
export function createTurns(handle: Handle): Turns {
  const lines = new WeakMap<Duplex, Line>();

  function begin(line: Line, request: IncomingMessage, response: ServerResponse): void {
    line.isBusy = true;
    response.once("close", line.onClose);
    handle(request, response);
  }

  function goOn(line: Line, socket: Duplex): void {
    line.isBusy = false;
    if (socket.destroyed) return void line.waiting.splice(0);
    const next = line.waiting.shift();
    if (next) begin(line, ...next);
    if (next && line.waiting.length === 0) socket.resume();
  }

  return {
    handle(request, response) {
      const { socket } = request;
      let line = lines.get(socket);
      if (!line) {
        const made: Line = { isBusy: false, waiting: [], onClose: () => goOn(made, socket) };
        lines.set(socket, (line = made));
      }
      if (!line.isBusy) return begin(line, request, response);
      line.waiting.push([request, response]);
      if (line.waiting.length > MAX_WAITING_REQUESTS) return void socket.destroy();
      // Node resumes the connection when it has read the end of this request, which is in this tick.
      process.nextTick(() => line.waiting.length > 0 && socket.pause());
    },
    isBusy: (socket) => lines.get(socket)?.isBusy === true,
  };
}
