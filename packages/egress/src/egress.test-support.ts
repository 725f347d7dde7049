/** Loopback servers in place of the outside: an origin, and a proxy with authentication. */
import {
  createServer,
  request as plainRequest,
  type IncomingHttpHeaders,
  type IncomingMessage,
  type Server,
  type ServerResponse,
} from "node:http";
import { createServer as createSecureServer } from "node:https";
import { once } from "node:events";
import { connect, type AddressInfo, type Socket } from "node:net";
import { createConnectProxy } from "./connect-proxy.ts";
import type { Refusal } from "./refusal.ts";
import { readUpstreamProxies } from "./upstream-proxy.ts";

export interface Listening {
  server: Server;
  port: number;
  close(): void;
}

export async function listen(server: Server): Promise<Listening> {
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  const close = () => {
    server.close();
    server.closeAllConnections();
  };
  return { server, port: (server.address() as AddressInfo).port, close };
}

export interface Asked {
  method: string;
  url: string;
  headers: IncomingHttpHeaders;
}

/** Answers every request with its own details, and records it. */
export async function startOrigin(tls?: {
  key: string;
  cert: string;
}): Promise<Listening & { asked: Asked[] }> {
  const asked: Asked[] = [];
  const answer = (request: IncomingMessage, response: ServerResponse) => {
    asked.push({ method: request.method!, url: request.url!, headers: request.headers });
    request.resume().on("end", () => response.end(`origin ${request.url}`));
  };
  const listening = await listen(tls ? createSecureServer(tls, answer) : createServer(answer));
  return { ...listening, asked };
}

/** A proxy as in companies: it requires a login. It connects everything to `target`. */
export async function startLoginProxy(
  login: string,
  target: () => number,
): Promise<Listening & { asked: Asked[]; refused: number }> {
  const expected = `Basic ${Buffer.from(login).toString("base64")}`;
  const state = { asked: [] as Asked[], refused: 0 };
  const server = createServer((request, response) => {
    state.asked.push({ method: request.method!, url: request.url!, headers: request.headers });
    if (request.headers["proxy-authorization"] !== expected) {
      state.refused++;
      return void response.writeHead(407, { "proxy-authenticate": "Basic" }).end();
    }
    const { "proxy-authorization": _login, ...headers } = request.headers;
    const url = new URL(request.url!);
    const upstream = plainRequest(
      { port: target(), path: url.pathname + url.search, method: request.method, headers },
      (found) => {
        response.writeHead(found.statusCode!, found.headers);
        found.pipe(response);
      },
    );
    request.pipe(upstream);
  });
  server.on("connect", (request, socket: Socket) => {
    state.asked.push({ method: "CONNECT", url: request.url!, headers: request.headers });
    socket.on("error", () => undefined);
    if (request.headers["proxy-authorization"] !== expected) {
      state.refused++;
      return void socket.end("HTTP/1.1 407 Proxy Authentication Required\r\n\r\n");
    }
    const upstream = connect(target(), "127.0.0.1", () => {
      socket.write("HTTP/1.1 200 OK\r\n\r\n");
      upstream.pipe(socket).pipe(upstream);
    });
    upstream.on("error", () => socket.destroy());
    socket.on("close", () => upstream.destroy());
  });
  return Object.assign(state, await listen(server));
}

/** Sends raw bytes to a proxy, and returns the response. */
export async function send(port: number, text: string): Promise<string> {
  const socket = connect({ port, host: "127.0.0.1" });
  socket.setTimeout(5_000, () => socket.destroy());
  socket.write(text);
  let answer = "";
  socket.setEncoding("latin1").on("data", (piece: string) => {
    answer += piece;
    // The tunnel is open; its target sends nothing by itself.
    if (/^HTTP\/1\.1 200 Connection Established\r\n\r\n$/.test(answer)) socket.destroy();
  });
  await once(socket, "close");
  return answer;
}

/**
 * The proxy of a project that may reach `allowed`, on a machine that itself uses a proxy:
 * everything leads to `target`, a port of this machine.
 */
export async function startProject(allowed: string[], target: () => number) {
  const refused: Refusal[] = [];
  const upstream = await startLoginProxy("u:p", target);
  const made = createConnectProxy({
    allowed: () => allowed,
    registries: [],
    outside: {
      proxies: readUpstreamProxies({}, { HTTPS_PROXY: `http://u:p@127.0.0.1:${upstream.port}` }),
      resolve: async () => [],
    },
    onRefused: (refusal) => refused.push(refusal),
  });
  const { port, close } = await listen(made.server);
  return {
    port,
    refused,
    close() {
      upstream.close();
      close();
    },
  };
}
