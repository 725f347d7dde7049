import type { IncomingMessage, Server, ServerResponse } from "node:http";
import { Server as SecureServer } from "node:https";
import type { Duplex } from "node:stream";

/** Whether a request has a body to wait for: one is declared (RFC 9112, 6) and is not empty. */
const hasBody = ({ headers }: Pick<IncomingMessage, "headers">): boolean =>
  headers["transfer-encoding"] !== undefined || Number(headers["content-length"] ?? 0) !== 0;

/** Limits on what clients may use of a server. */
export interface ConnectionBounds {
  /** Maximum concurrent connections. Absent: the caller counts them. */
  most?: number;
  /** Milliseconds for the complete headers of a request, from the start of the connection or the end of the last answer. */
  headMs: number;
  /** Interval in milliseconds in which a minimum of bytes of a body has to arrive. */
  bodyMs: number;
  bodyBytes: number;
}

/** Time limit of a TLS handshake, in milliseconds. */
export const HANDSHAKE_MS = 15_000;

/** Slow connections and busy machines stay far below these limits; clients that hold connections on purpose do not. */
export const CONNECTION_BOUNDS: ConnectionBounds = {
  headMs: 15_000,
  bodyMs: 30_000,
  bodyBytes: 16 * 1024,
};

interface Held {
  /** Requests whose responses are pending, and upgrades and tunnels, which have no response. */
  busy: number;
  /**
   * Restarted with each wait, which is cheaper than a new timer; irrelevant while the connection is
   * busy.
   */
  overdue: NodeJS.Timeout;
  body?: NodeJS.Timeout;
}

/**
 * Limits connections of clients that send nothing, or send endlessly (A65). A response may take any
 * time, and so may upgrades and tunnels: event streams, WebSockets and large uploads continue. If
 * all connections are in use, the one that has waited longest for a request is closed for a new
 * one, so that idle ones lock nobody out.
 * This also applies to connections that are handed over (`emit("connection")`): Node's own limits
 * start when a server listens, and end large uploads because of their size.
 */
export function boundConnections<S extends Server | SecureServer>(
  server: S,
  given: Partial<ConnectionBounds> = {},
): S {
  const { most = Number.POSITIVE_INFINITY, ...bounds } = { ...CONNECTION_BOUNDS, ...given };
  /** In the order in which they became idle. */
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

  /** Ends a request whose body does not arrive while this side waits for it. */
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
    // Data that has arrived is read first: after a long pause of this process that may be all of
    // it.
    held.body = setTimeout(() => setImmediate(look), bounds.bodyMs).unref();
  }

  const answering = (request: IncomingMessage, response: ServerResponse) => {
    const held = all.get(request.socket);
    if (!held) return;
    held.busy++;
    watchBody(request, held);
    response.once("close", () => {
      // Data of a body whose request was already answered does not keep the connection open.
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

  // Node's own limit starts with each request; idle connections are handled above.
  server.requestTimeout = 0;
  server.headersTimeout = 0;
  server
    .prependListener(server instanceof SecureServer ? "secureConnection" : "connection", take)
    .prependListener("request", answering);
  // Listeners of these events take over the connection; without listeners they are normal requests,
  // or are ended by Node.
  for (const event of ["upgrade", "connect"] as const)
    if (server.listenerCount(event) > 0) server.prependListener(event, handOver);
  return server;
}
