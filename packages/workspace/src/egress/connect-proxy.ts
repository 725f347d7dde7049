import { createServer, type Server } from "node:http";
import { connect } from "node:net";
import { isAllowedHost } from "./allowed-host.ts";

/**
 * The way out for everything that is not the registry's own protocol: CONNECT to hosts that are allowed by name. The
 * sandbox has no other network, no resolver either, so a name that is refused here is never looked up (A28).
 * @returns a server that listens on nothing yet
 */
export function createConnectProxy(options: {
  allowed: () => readonly string[];
  onRefused: (host: string) => void;
}): Server {
  const words =
    "This sandbox reaches the package registry and what the project's settings allow, nothing else.\n";
  const server = createServer((request, response) => {
    let host = request.headers.host ?? "";
    try {
      host = new URL(request.url ?? "").hostname;
    } catch {
      // An address without a host; the Host header tells more.
    }
    options.onRefused(host.slice(0, 253));
    response.writeHead(403, { "content-type": "text/plain", connection: "close" }).end(words);
  });
  server.on("connect", (request, socket, head) => {
    const [, host = "", port = ""] = /^\[?([^\]]*?)\]?:(\d+)$/.exec(request.url ?? "") ?? [];
    socket.on("error", () => undefined);
    if (port !== "443" || !isAllowedHost(host, options.allowed())) {
      options.onRefused((host || (request.url ?? "")).slice(0, 253));
      socket.end(
        `HTTP/1.1 403 Forbidden\r\nContent-Type: text/plain\r\nConnection: close\r\n\r\n${words}`,
      );
      return;
    }
    const outside = connect(Number(port), host, () => {
      socket.write("HTTP/1.1 200 Connection Established\r\n\r\n");
      if (head.length > 0) outside.write(head);
      outside.pipe(socket).pipe(outside);
    });
    outside.on("error", () => socket.destroy());
    outside.on("close", () => socket.destroy());
    socket.on("close", () => outside.destroy());
  });
  return server;
}
