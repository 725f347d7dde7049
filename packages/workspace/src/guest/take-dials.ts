/**
 * Loaded by Node before a program's own code (`--require`): what the program serves over HTTP is offered to the host without
 * anybody between. When its server listens on a port, the guest is told; for each connection that the host wants to that
 * port, the program then dials the host itself and hands what comes to its server, as Node provides for ("this event can
 * also be explicitly emitted by users to inject connections into the HTTP server",
 * https://nodejs.org/api/http.html#event-connection). A connection so saves the way through a second process, both ways.
 *
 * The program is to notice none of it, and may be any: whatever is odd about its server leaves it to the port.
 */
import channels from "node:diagnostics_channel";
import type { Server } from "node:http";
import type { AddressInfo, Socket } from "node:net";
import { createLineReader } from "./line-reader.ts";

/** What is reached by the address that the guest would dial first. */
const REACHED = new Set(["127.0.0.1", "0.0.0.0", "::"]);

const guestSocket = process.env.TREADLE_DIALS;

// An older Node, which a project may bring with it, tells of no server that listens, or knows no way to hear of it.
if (guestSocket !== undefined)
  channels.subscribe?.("tracing:net.server.listen:asyncEnd", (message) => {
    const { server } = message as { server: unknown };
    // Loaded by now, since there is a server; loading it for every program would make each start later.
    const http = process.getBuiltinModule?.("node:http");
    if (http && server instanceof http.Server) offer(server, guestSocket);
  });

function offer(server: Server, path: string): void {
  const address = server.address();
  if (typeof address !== "object" || address === null || !REACHED.has(address.address)) return;
  const { connect } = process.getBuiltinModule("node:net");
  const guest = connect(path);
  // It keeps nothing alive: that is for the program's own server to do.
  guest.unref();
  guest.on("error", () => guest.destroy());
  guest.write(`${address.port}\n`);
  server.once("close", () => guest.destroy());
  guest.setEncoding("utf8").on(
    "data",
    createLineReader({
      onLine(line) {
        // One that counts its connections has to see them come.
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

/** What programs read of a connection, and count on, is what they would read of one that came through the port. */
function asFromPort(socket: Socket, server: Server, bound: AddressInfo): Socket {
  const { port, family } = bound;
  // What listens on both kinds of addresses is told the older one in the form of the newer.
  const address = family === "IPv6" ? "::ffff:127.0.0.1" : "127.0.0.1";
  const connection = {
    remoteAddress: address,
    remoteFamily: family,
    // One of those that a system gives out; nothing can be done with it from here.
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
