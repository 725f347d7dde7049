/**
 * Loaded by Node before a program's own code (`--require`): connects the program's HTTP servers directly to the host.
 * When a server listens on a port, this tells the guest; for each connection that the host opens to that port, the
 * program connects to the host and passes the socket to its server, which Node supports ("this event can also be
 * explicitly emitted by users to inject connections into the HTTP server",
 * https://nodejs.org/api/http.html#event-connection). This saves a hop through a second process in both directions. The
 * program must not notice, and may be any program: if anything about its server is unusual, connections go through the
 * port.
 */
import channels from "node:diagnostics_channel";
import type { Server } from "node:http";
import type { AddressInfo, Socket } from "node:net";
import { createLineReader } from "./line-reader.ts";

/** Addresses that the guest would reach by the address that it dials first. */
const REACHED = new Set(["127.0.0.1", "0.0.0.0", "::"]);

const guestSocket = process.env.TREADLE_DIALS;

// An older Node, which a project may bring with it, does not report listening servers.
if (guestSocket !== undefined)
  channels.subscribe?.("tracing:net.server.listen:asyncEnd", (message) => {
    const { server } = message as { server: unknown };
    // Already loaded, since there is a server; loading it for every program would slow down each
    // start.
    const http = process.getBuiltinModule?.("node:http");
    if (http && server instanceof http.Server) offer(server, guestSocket);
  });

function offer(server: Server, path: string): void {
  const address = server.address();
  if (typeof address !== "object" || address === null || !REACHED.has(address.address)) return;
  const { connect } = process.getBuiltinModule("node:net");
  const guest = connect(path);
  // The connection must not keep the program alive.
  guest.unref();
  guest.on("error", () => guest.destroy());
  guest.write(`${address.port}\n`);
  server.once("close", () => guest.destroy());
  guest.setEncoding("utf8").on(
    "data",
    createLineReader({
      onLine(line) {
        // A server that limits its connections has to accept them itself.
        if (!server.listening || typeof server.maxConnections === "number")
          return void guest.destroy();
        const [token = "", host = ""] = line.split(" ");
        const socket = connect({ path: host, allowHalfOpen: true, noDelay: true });
        socket.on("error", () => socket.destroy());
        socket.once("connect", () => {
          socket.write(token);
          guest.write(`${token}\n`);
          server.emit("connection", asFromPort(socket, server, address));
        });
      },
      onTooLong: () => guest.destroy(),
    }),
  );
}

/** Gives a socket the properties that programs would read from a connection through the port. */
function asFromPort(socket: Socket, server: Server, bound: AddressInfo): Socket {
  const { port, family } = bound;
  // A server that listens on both families sees IPv4 addresses in IPv6 form.
  const address = family === "IPv6" ? "::ffff:127.0.0.1" : "127.0.0.1";
  const connection = {
    remoteAddress: address,
    remoteFamily: family,
    // A random ephemeral port; nothing can be done with it from here.
    remotePort: 32_768 + Math.floor(Math.random() * 28_232),
    localAddress: address,
    localFamily: family,
    localPort: port,
    server,
    address: () => ({ address, family, port }),
  };
  for (const [name, value] of Object.entries(connection))
    Object.defineProperty(socket, name, { value, configurable: true, writable: true });
  return socket;
}
