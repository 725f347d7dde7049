import { createServer, type IncomingMessage, type Server, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import type { Duplex } from "node:stream";
import { boundConnections } from "@treadle/workspace";
import { isLoopbackAddress } from "./access/own-host.ts";
import { ListenError } from "./types.ts";

export interface Listener {
  port: number;
  url: string;
  close(): Promise<void>;
}

export interface Handlers {
  request(request: IncomingMessage, response: ServerResponse): void;
  upgrade(request: IncomingMessage, socket: Duplex, head: Buffer): void;
}

/**
 * Connections at a time to each of the two addresses: of every page and preview that is open, with what each of them keeps
 * open. They are not counted by who connects: on loopback whoever connects chooses the address it comes from.
 */
export const CONNECTIONS = 1024;

/** With port 0, free ports that are tried until one is free on both loopback addresses. */
const TRIES = 5;

/**
 * Listens on loopback: on 127.0.0.1 and, where this machine has it, on ::1, as browsers resolve `*.localhost` to either.
 * @throws ListenError
 */
export async function listenOnLoopback(
  { host, port }: { host: string; port: number },
  handlers: Handlers,
): Promise<Listener> {
  if (!isLoopbackAddress(host))
    throw new ListenError(
      "not-loopback",
      `Treadle does not listen on ${host}: without sign-in, everybody who reaches that address could run code here. Leave --host out and forward the port, for example with ssh -L.`,
    );
  const main = host === "::1" ? "::1" : "127.0.0.1";
  const other = main === "::1" ? "127.0.0.1" : "::1";
  for (let attempt = 1; ; attempt++) {
    const first = await open(main, port, handlers);
    const taken = (first.address() as AddressInfo).port;
    try {
      const second = await open(other, taken, handlers).catch((error: unknown) => {
        // This machine has no IPv6 (or no IPv4): then nobody is sent there either.
        if (error instanceof ListenError && error.code === "failed") return undefined;
        throw error;
      });
      const servers = second ? [first, second] : [first];
      return {
        port: taken,
        url: `http://localhost:${taken}`,
        close: async () => void (await Promise.all(servers.map(shut))),
      };
    } catch (error) {
      await shut(first);
      if (port !== 0 || attempt === TRIES) throw error;
    }
  }
}

function open(host: string, port: number, handlers: Handlers): Promise<Server> {
  const server = createServer(handlers.request);
  server.on("upgrade", handlers.upgrade);
  boundConnections(server, { most: CONNECTIONS });
  return new Promise((resolve, reject) => {
    server.once("error", (error: NodeJS.ErrnoException) => reject(listenError(error, host, port)));
    server.listen({ host, port, ipv6Only: host === "::1" }, () => resolve(server));
  });
}

function listenError(error: NodeJS.ErrnoException, host: string, port: number): ListenError {
  if (error.code === "EADDRINUSE")
    return new ListenError(
      "in-use",
      `Port ${port} is taken on ${host}. Stop the program that has it, or choose another with --port.`,
    );
  if (error.code === "EACCES")
    return new ListenError(
      "not-allowed",
      `Port ${port} may not be used. Choose one above 1023 with --port.`,
    );
  return new ListenError("failed", `Treadle cannot listen on ${host}:${port}: ${error.message}`);
}

function shut(server: Server): Promise<void> {
  return new Promise((resolve) => {
    server.close(() => resolve());
    // Live logs and previews stay open for ever otherwise.
    server.closeAllConnections();
  });
}
