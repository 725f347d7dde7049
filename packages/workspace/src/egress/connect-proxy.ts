import {
  createServer,
  request as plainRequest,
  type IncomingMessage,
  type Server,
  type ServerResponse,
} from "node:http";
import type { Duplex } from "node:stream";
import type { RefusalReason } from "../types.ts";
import { isAllowedHost, nameHost, normaliseAllowedHost } from "./allowed-host.ts";
import { createBrake } from "./brake.ts";
import { connectProxy, checkWhereKnown, dialOut, type Outside } from "./dial-out.ts";
import { AddressRefused } from "./public-address.ts";
import { proxyFor, proxyLogin } from "./upstream-proxy.ts";
import { REFUSED_HEADER } from "../wire/refused-header.ts";

/** A host that something inside was refused, named as it can be put on the list. */
export interface Refusal {
  host: string;
  reason: RefusalReason;
}

export interface ConnectProxyOptions {
  /** The project's list as it is now. */
  allowed(): readonly string[];
  /** Each with the server that answers in its stead, with this machine's login. */
  registries: readonly { url: URL; server: Server }[];
  outside: Outside;
  onRefused(refusal: Refusal): void;
}

/**
 * The way out for everything that is not the registry's own protocol: tunnels (CONNECT) and plain HTTP to hosts that are
 * allowed by name. The sandbox has no other network, no resolver either, so a name that is refused here is never looked
 * up (A28). A refusal comes at once and says why; nothing waits for a person.
 */
export function createConnectProxy(options: ConnectProxyOptions) {
  /** What stands, so that it can be ended when its host is taken off the list. */
  const brake = createBrake();
  const open = new Set<{ host: string; port: number; end(): void }>();

  const registryAt = (host: string, port: number) =>
    options.registries.find(
      ({ url }) => url.hostname === host.toLowerCase() && portOf(url) === port,
    );
  const mayPass = (host: string, port: number) =>
    registryAt(host, port) !== undefined || isAllowedHost(host, port, options.allowed());
  const outside: Outside = {
    ...options.outside,
    mayBePrivate: (host, port) => registryAt(host, port) !== undefined,
  };

  const server = createServer((request, response) => {
    const url = URL.parse(request.url ?? "");
    if (url?.protocol !== "http:") return refuse(response, request.headers.host ?? "", 80);
    const [host, port] = [url.hostname, portOf(url)];
    const registry = registryAt(host, port);
    if (registry?.url.protocol === "http:") {
      request.url = url.pathname + url.search;
      return void registry.server.emit("request", request, response);
    }
    if (!mayPass(host, port)) return refuse(response, host, port);
    pass(url, request, response).catch((error: unknown) => {
      if (error instanceof AddressRefused) return refuse(response, host, port, "address");
      if (response.headersSent) return void response.destroy();
      answer(response, 502, `${host} cannot be reached: ${(error as Error).message}`);
    });
  });

  server.on("connect", (request: IncomingMessage, socket: Duplex, head: Buffer) => {
    const [, host = "", digits = ""] = /^\[?([^\]]*?)\]?:(\d{1,5})$/.exec(request.url ?? "") ?? [];
    const port = Number(digits);
    socket.on("error", () => undefined);
    if (!mayPass(host, port)) return refuseTunnel(socket, host || (request.url ?? ""), port);
    const registry = registryAt(host, port);
    if (registry?.url.protocol === "http:") {
      socket.write("HTTP/1.1 200 Connection Established\r\n\r\n");
      if (head.length > 0) socket.unshift(head);
      return void registry.server.emit("connection", socket);
    }
    tunnel(host, port, socket, head).catch((error: unknown) => {
      if (error instanceof AddressRefused) return refuseTunnel(socket, host, port, "address");
      endWith(socket, "502 Bad Gateway", `${host} cannot be reached: ${(error as Error).message}`);
    });
  });

  async function tunnel(host: string, port: number, socket: Duplex, head: Buffer): Promise<void> {
    const upstream = await dialOut(host, port, outside);
    const entry = { host, port, end: () => upstream.destroy() };
    open.add(entry);
    upstream.on("error", () => socket.destroy());
    upstream.on("close", () => {
      open.delete(entry);
      socket.destroy();
    });
    socket.on("close", () => upstream.destroy());
    if (socket.destroyed) return void upstream.destroy();
    socket.write("HTTP/1.1 200 Connection Established\r\n\r\n");
    if (head.length > 0) upstream.write(head);
    upstream.pipe(socket).pipe(upstream);
  }

  /** A plain request; a proxy of this machine is told the whole address, as proxies want it. */
  async function pass(url: URL, request: IncomingMessage, response: ServerResponse): Promise<void> {
    const [host, port] = [url.hostname, portOf(url)];
    const proxy = proxyFor({ host, port, secure: false }, outside.proxies);
    const login = proxy && proxyLogin(proxy);
    if (proxy) await checkWhereKnown(host, outside.resolve);
    const socket = proxy
      ? await connectProxy(proxy, outside.ca)
      : await dialOut(host, port, { ...outside, proxies: { except: [] } });
    const entry = { host, port, end: () => socket.destroy() };
    open.add(entry);
    socket.on("close", () => open.delete(entry));
    response.on("close", () => socket.destroy());
    await new Promise<void>((done, fail) => {
      const upstream = plainRequest({
        createConnection: () => socket,
        method: request.method,
        path: proxy ? url.href : url.pathname + url.search,
        headers: {
          ...passedHeaders(request),
          host: url.host,
          connection: "close",
          ...(login && { "proxy-authorization": login }),
        },
      });
      upstream.on("response", (found) => {
        const { connection: _ends, "keep-alive": _too, ...kept } = found.headers;
        response.writeHead(found.statusCode ?? 502, kept);
        found.pipe(response);
        found.on("end", done).on("error", fail);
      });
      upstream.on("error", fail);
      request.pipe(upstream);
    });
  }

  function refuse(response: ServerResponse, host: string, port: number, address?: "address"): void {
    const refusal = refusalOf(host, port, address);
    options.onRefused(refusal);
    brake(() => {
      response.setHeader(REFUSED_HEADER, refusalHeader(refusal));
      answer(response, 403, refusalWords(refusal));
    });
  }

  function refuseTunnel(socket: Duplex, host: string, port: number, address?: "address"): void {
    const refusal = refusalOf(host, port, address);
    options.onRefused(refusal);
    const header = `${REFUSED_HEADER}: ${refusalHeader(refusal)}\r\n`;
    brake(() => endWith(socket, "403 Forbidden", refusalWords(refusal), header));
  }

  return {
    /** Listens on nothing yet. */
    server,
    /** Ends what goes to hosts that are allowed no more. */
    recheck(): void {
      for (const { host, port, end } of open) if (!mayPass(host, port)) end();
    },
  };
}

function refusalOf(host: string, port: number, address: "address" | undefined): Refusal {
  const name = nameHost(host, port);
  // A program that asks for `*.com` itself would have a person allow more than what was asked for.
  const listable = normaliseAllowedHost(name) !== undefined && !name.includes("*");
  const known = listable ? "not-allowed" : "no-name";
  return { host: name, reason: address ?? known };
}

const WHY: Record<RefusalReason, string> = {
  "not-allowed":
    "is not among the hosts this project may reach; they are in the project's settings",
  address: "stands for an address of this machine's own network",
  "no-name": "is no name of a public host; hosts are reached by such names alone",
};

/** What whoever was refused reads, in one line. */
export function refusalWords({ host, reason }: Refusal): string {
  // What the guest passes on may be anything.
  return `egress refused: host ${host} ${WHY[reason] ?? WHY["not-allowed"]}\n`;
}

const portOf = (url: URL) => Number(url.port || (url.protocol === "https:" ? 443 : 80));

const refusalHeader = ({ host, reason }: Refusal) => `${reason} ${host}`;

/** Headers between two neighbours are not passed on. */
function passedHeaders({ headers }: IncomingMessage): Record<string, string | string[]> {
  const named = String(headers.connection ?? "")
    .toLowerCase()
    .split(/\s*,\s*/);
  const own = [
    "connection",
    "proxy-connection",
    "proxy-authorization",
    "keep-alive",
    "te",
    "upgrade",
  ];
  const kept: Record<string, string | string[]> = {};
  for (const [name, value] of Object.entries(headers))
    if (value !== undefined && !own.includes(name) && !named.includes(name)) kept[name] = value;
  return kept;
}

function answer(response: ServerResponse, status: number, words: string): void {
  response.writeHead(status, { "content-type": "text/plain", connection: "close" }).end(words);
}

function endWith(socket: Duplex, status: string, words: string, header = ""): void {
  socket.end(
    `HTTP/1.1 ${status}\r\n${header}Content-Type: text/plain\r\nContent-Length: ${Buffer.byteLength(words)}\r\nConnection: close\r\n\r\n${words}`,
  );
}
