import {
  createServer,
  request as httpRequest,
  type IncomingMessage,
  type ServerResponse,
} from "node:http";
import { connect, type AddressInfo, type Socket } from "node:net";
import type { Duplex } from "node:stream";
import { AddressRefused, publicAddresses } from "@treadle/workspace";
import { REPORT_PATH } from "../gateway/own-paths.ts";
import type { Gateway } from "../gateway/types.ts";

/** Milliseconds until a public host counts as out of reach: a page's own start should not hang on it. */
const CONNECT_MS = 3_000;
/** On answers that are the proxy's own: the host was refused, or cannot be reached from this machine. */
export const PROXY_HEADER = "x-treadle-proxy";

/** The looking browser's only way out: to previews through the gateway, and to public hosts. */
export interface LookerProxy {
  close(): Promise<void>;
  /** Where it listens: the socket's path, or a port of 127.0.0.1. */
  readonly at: string | number;
}

interface LookerProxyOptions {
  gateway: Pick<Gateway, "handles" | "handle" | "upgrade">;
  /** A path for a unix socket; absent: a free port of 127.0.0.1. */
  socket?: string;
  resolve?: (host: string) => Promise<string[]>;
}

export async function openLookerProxy(options: LookerProxyOptions): Promise<LookerProxy> {
  const { gateway, resolve } = options;
  const sockets = new Set<Duplex>();
  const keep = <T extends Duplex>(socket: T): T => {
    sockets.add(socket);
    socket.on("close", () => sockets.delete(socket));
    return socket.on("error", () => socket.destroy());
  };

  const outer = createServer((request, response) => {
    const url = absolute(request.url);
    if (!url) return refuse(response, 400, "refused");
    if (!gateway.handles(url.host)) return void passOn(url, request, response, resolve, keep);
    if (request.headers.host?.toLowerCase() !== url.host) return refuse(response, 400, "refused");
    request.url = url.pathname + url.search;
    answer(request, response);
  });
  /** The probe in a page that is looked at leaves the reports to the look. */
  function answer(request: IncomingMessage, response: ServerResponse): void {
    if (request.url?.split("?", 1)[0] !== REPORT_PATH) return gateway.handle(request, response);
    request.resume();
    response.writeHead(204).end();
  }
  /** What comes through a tunnel to a preview: nothing but previews, whatever Host it then names. */
  const inner = createServer((request, response) => {
    if (gateway.handles(request.headers.host)) answer(request, response);
    else refuse(response, 403, "refused");
  });
  inner.on("upgrade", (request: IncomingMessage, socket: Duplex, head: Buffer) => {
    if (gateway.handles(request.headers.host)) gateway.upgrade(request, socket, head);
    else socket.destroy();
  });
  outer.on("connection", keep);
  // A plain upgrade has no place on a proxy: browsers open a tunnel for it.
  outer.on("upgrade", (_request: IncomingMessage, socket: Duplex) => socket.destroy());
  outer.on("connect", (request: IncomingMessage, socket: Socket, head: Buffer) => {
    const [, host = "", port = ""] = /^(.+):(\d{1,5})$/.exec(request.url ?? "") ?? [];
    if (!gateway.handles(`${host}:${port}`)) return void tunnel(host, Number(port), socket, head);
    socket.write("HTTP/1.1 200 Connected\r\n\r\n");
    if (head.length > 0) socket.unshift(head);
    inner.emit("connection", socket);
  });

  async function tunnel(host: string, port: number, socket: Socket, head: Buffer): Promise<void> {
    try {
      const upstream = keep(await connectPublic(host, port, resolve));
      socket.write("HTTP/1.1 200 Connected\r\n\r\n");
      if (head.length > 0) upstream.write(head);
      socket.pipe(upstream);
      upstream.pipe(socket);
      socket.on("close", () => upstream.destroy());
      upstream.on("close", () => socket.destroy());
    } catch (error) {
      const [status, word] =
        error instanceof AddressRefused ? [403, "refused"] : [502, "unreached"];
      socket.end(`HTTP/1.1 ${status} ${word}\r\n${PROXY_HEADER}: ${word}\r\n\r\n`);
    }
  }

  await new Promise<void>((done, fail) => {
    outer.once("error", fail);
    if (options.socket === undefined) outer.listen(0, "127.0.0.1", done);
    else outer.listen(options.socket, done);
  });
  return {
    at: options.socket ?? (outer.address() as AddressInfo).port,
    close: () =>
      new Promise((done) => {
        outer.close(() => done());
        for (const socket of sockets) socket.destroy();
      }),
  };
}

/** A plain request to a public host. */
async function passOn(
  url: URL,
  request: IncomingMessage,
  response: ServerResponse,
  resolve: LookerProxyOptions["resolve"],
  keep: (socket: Socket) => Socket,
): Promise<void> {
  try {
    const socket = keep(await connectPublic(url.hostname, Number(url.port || 80), resolve));
    const { "proxy-connection": _hop, "proxy-authorization": _own, ...headers } = request.headers;
    const upstream = httpRequest({
      createConnection: () => socket,
      method: request.method,
      path: url.pathname + url.search,
      headers: { ...headers, host: url.host, connection: "close" },
    });
    upstream.on("response", (answer) => {
      const {
        connection: _ends,
        "keep-alive": _too,
        [PROXY_HEADER]: _ours,
        ...kept
      } = answer.headers;
      response.writeHead(answer.statusCode ?? 502, kept);
      answer.pipe(response);
    });
    upstream.on("error", () => {
      if (response.headersSent) response.destroy();
      else refuse(response, 502, "unreached");
    });
    response.on("close", () => upstream.destroy());
    request.pipe(upstream);
  } catch (error) {
    if (error instanceof AddressRefused) refuse(response, 403, "refused");
    else refuse(response, 502, "unreached");
  }
}

/** Rejects with AddressRefused for what is not public, before anything is sent (A16). */
async function connectPublic(
  host: string,
  port: number,
  resolve: LookerProxyOptions["resolve"],
): Promise<Socket> {
  const [address] = await publicAddresses(host, resolve);
  return new Promise((done, fail) => {
    const socket = connect({ host: address ?? "", port });
    socket.setTimeout(CONNECT_MS, () => socket.destroy(new Error(`${host} does not answer.`)));
    socket.once("error", fail);
    socket.once("connect", () => {
      socket.setTimeout(0);
      socket.off("error", fail);
      done(socket);
    });
  });
}

function absolute(target: string | undefined): URL | undefined {
  const url = URL.parse(target ?? "");
  return url?.protocol === "http:" ? url : undefined;
}

function refuse(response: ServerResponse, status: number, word: "refused" | "unreached"): void {
  response.writeHead(status, { [PROXY_HEADER]: word, "content-length": 0, connection: "close" });
  response.end();
}
