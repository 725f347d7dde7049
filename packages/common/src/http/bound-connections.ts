import type { IncomingMessage, Server, ServerResponse } from "node:http";
import { Server as SecureServer } from "node:https";
import type { Duplex } from "node:stream";

/** Whether a request has a body to wait for: one is announced (RFC 9112, 6) and is not empty. */
const hasBody = ({ headers }: Pick<IncomingMessage, "headers">): boolean =>
  headers["transfer-encoding"] !== undefined || Number(headers["content-length"] ?? 0) !== 0;

/** Limits on what clients may use of a server. */
export interface ConnectionBounds {
  /** Maximum concurrent connections. Absent: the caller counts them. */
  most?: number;
  /** Milliseconds for the complete headers of a request, from the start of the connection or the end of the last answer. */
  headMs: number;
  /** In each such time so many bytes of a body have to come. Milliseconds. */
  bodyMs: number;
  bodyBytes: number;
}

/** For a greeting of TLS to be over. Milliseconds. */
export const HANDSHAKE_MS = 15_000;

/** Slow connections and busy machines stay far below these limits; clients that hold connections on purpose do not. */
export const CONNECTION_BOUNDS: ConnectionBounds = {
  headMs: 15_000,
  bodyMs: 30_000,
  bodyBytes: 16 * 1024,
};

interface Held {
  /** Requests that wait for the end of their answers, and sockets and tunnels, which have none. */
  busy: number;
  /** Begins anew with each wait, which costs less than another one would; while it is busy it means nothing. */
  overdue: NodeJS.Timeout;
  body?: NodeJS.Timeout;
}

/**
 * Bounds those who connect and say nothing, or say it without end (A65). An answer may take as long as it likes, and so may
 * what became a socket or a tunnel: streams of events, WebSockets and large uploads go on. Where all connections are taken,
 * the one that has waited longest for a request makes room for a new one, so that idle ones keep nobody out.
 *
 * It holds for connections that are handed over (`emit("connection")`) too: Node's own limits begin when a server listens,
 * and end a large upload for being large.
 */
export function boundConnections<S extends Server | SecureServer>(
  server: S,
  given: Partial<ConnectionBounds> = {},
): S {
  const { most = Number.POSITIVE_INFINITY, ...bounds } = { ...CONNECTION_BOUNDS, ...given };
  /** In the order in which they began to wait. */
  const all = new Map<Duplex, Held>();

  function wait(socket: Duplex, held: Held): void {
    held.overdue.refresh();
    all.delete(socket);
    all.set(socket, held);
  }

  function makeRoom(): boolean {
    for (const [socket, { busy }] of all)
      if (busy === 0) {
        all.delete(socket);
        socket.destroy();
        return true;
      }
    return false;
  }

  function take(socket: Duplex): void {
    if (all.size >= most && !makeRoom()) return void socket.destroy();
    const held: Held = {
      busy: 0,
      overdue: setTimeout(() => held.busy === 0 && socket.destroy(), bounds.headMs).unref(),
    };
    all.set(socket, held);
    socket.once("close", () => {
      clearTimeout(held.overdue);
      clearTimeout(held.body);
      all.delete(socket);
    });
  }

  /** Ends a request whose body does not come, while it is this side that waits for it. */
  function watchBody(request: IncomingMessage, held: Held): void {
    clearTimeout(held.body);
    if (request.complete || !hasBody(request)) return;
    const { socket } = request;
    const before = socket.bytesRead;
    const look = () => {
      // Data that was received but not consumed yet is the server's own delay. Streams that count no bytes are left
      // alone.
      const waits = !request.complete && request.readableLength === 0;
      if (waits && socket.bytesRead - before < bounds.bodyBytes) socket.destroy();
      else if (!socket.destroyed) watchBody(request, held);
    };
    // What has come by now is read first: after a long pause of this process that may be all of it.
    held.body = setTimeout(() => setImmediate(look), bounds.bodyMs).unref();
  }

  const answering = (request: IncomingMessage, response: ServerResponse) => {
    const held = all.get(request.socket);
    if (!held) return;
    held.busy++;
    watchBody(request, held);
    response.once("close", () => {
      // What is still sent of a body that was answered already is no reason to stay.
      if (--held.busy === 0 && !request.socket.destroyed) {
        clearTimeout(held.body);
        wait(request.socket, held);
      }
    });
  };
  const handOver = ({ socket }: IncomingMessage) => {
    const held = all.get(socket);
    if (!held) return;
    held.busy++;
    clearTimeout(held.body);
  };

  // Its own time begins with each request; for what is idle in between, see above.
  server.requestTimeout = 0;
  server.headersTimeout = 0;
  server
    .prependListener(server instanceof SecureServer ? "secureConnection" : "connection", take)
    .prependListener("request", answering);
  // Who listens to these takes the connection; without anybody they are requests, or are ended by Node.
  for (const event of ["upgrade", "connect"] as const)
    if (server.listenerCount(event) > 0) server.prependListener(event, handOver);
  return server;
}
