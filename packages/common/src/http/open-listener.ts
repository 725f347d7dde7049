import { createServer, type IncomingMessage, type Server, type ServerResponse } from "node:http";
import type { Duplex } from "node:stream";
import { boundConnections } from "./bound-connections.ts";
import { endSoon } from "./end-soon.ts";
import { ListenError } from "./listen-error.ts";
import { admitRequest, admitUpgrade, refuseRequest } from "./admit-request.ts";
import { createTurns } from "./in-turn.ts";

export interface Handlers {
  request(request: IncomingMessage, response: ServerResponse): void;
  upgrade(request: IncomingMessage, socket: Duplex, head: Buffer): void;
}

/**
 * Maximum concurrent connections to one address: all open pages and previews with their persistent connections, and all
 * published apps. They are not counted per client, because on loopback a client chooses its own address.
 */
export const CONNECTIONS = 1536;

/** Idle time in milliseconds before TCP keep-alive probes. */
const KEEP_ALIVE_MS = 60_000;

/**
 * Listens on one address. Ambiguous requests are answered 400 and reach no handler, and each
 * connection has one active request at a time.
 * @throws ListenError
 */
export function openListener(host: string, port: number, handlers: Handlers): Promise<Server> {
  const turns = createTurns((request, response) => {
    const problem = admitRequest(request);
    if (problem === undefined) handlers.request(request, response);
    else refuseRequest(response, problem);
  });
  const server = createServer(
    {
      shouldUpgradeCallback: wantsSocket,
      keepAlive: true,
      keepAliveInitialDelay: KEEP_ALIVE_MS,
    },
    turns.handle,
  );
  server.on("upgrade", (request: IncomingMessage, socket: Duplex, head: Buffer) => {
    // Behind a request that is still being answered, both would write to the same connection.
    if (turns.isBusy(socket)) return void socket.destroy();
    const problem = admitUpgrade(request);
    if (problem === undefined) handlers.upgrade(request, socket, head);
    else endSoon(socket, `HTTP/1.1 400 Bad Request\r\ncontent-type: text/plain; charset=utf-8\r\ncontent-length: ${Buffer.byteLength(problem)}\r\nconnection: close\r\n\r\n${problem}`); // prettier-ignore
  });
  boundConnections(server, { most: CONNECTIONS });
  return new Promise((resolve, reject) => {
    server.once("error", (error: NodeJS.ErrnoException) => reject(listenError(error, host, port)));
    server.listen({ host, port, ipv6Only: host === "::1" }, () => resolve(server));
  });
}

/**
 * Some clients (Java's, curl with `--http2`) offer HTTP/2 in an ordinary request, which may be
 * ignored (RFC 9110, 7.8); treated as an upgrade, it would lose its body.
 */
const wantsSocket = ({ headers }: IncomingMessage) =>
  /(?:^|,)\s*websocket\s*(?:,|$)/i.test(headers.upgrade ?? "");

function listenError(error: NodeJS.ErrnoException, host: string, port: number): ListenError {
  if (error.code === "EADDRINUSE")
    return new ListenError(
      "in-use",
      `Port ${port} is taken on ${host}. Stop the program that has it, or choose another with --port.`,
    );
  if (error.code === "EACCES")
    return new ListenError(
      "not-allowed",
      `You may not use port ${port}. Choose one above 1023 with --port.`,
    );
  if (error.code === "EADDRNOTAVAIL")
    return new ListenError(
      "failed",
      `${host} is not an address of this machine, so nothing can listen there.`,
    );
  return new ListenError("failed", `Treadle cannot listen on ${host}:${port}: ${error.message}`);
}

/** Stops the server and closes open connections. */
export function shutListener(server: Server): Promise<void> {
  return new Promise((resolve) => {
    server.close(() => resolve());
    // Live logs and previews would stay open forever.
    server.closeAllConnections();
  });
}
