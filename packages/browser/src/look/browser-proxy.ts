import { randomInt } from "node:crypto";
import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import type { AddressInfo, Socket } from "node:net";
import type { Duplex } from "node:stream";
import type { WantedHost } from "@treadle/protocol";
import { boundConnections, endSoon, namesOneHost } from "@treadle/common";
import {
  type ConnectProxyOptions,
  createConnectProxy,
  openStaticHostServer,
  passPlain,
  type Refusal,
  type Registry,
  STATIC_HOSTS,
} from "@treadle/egress";
import { REPORT_PATH } from "@treadle/probe";
import type { LookOrigin, WayToPreviews } from "./types.ts";
import { destinationOf } from "./destination.ts";

/**
 * Milliseconds after which a public host counts as unreachable, so that a page's start does not
 * hang on it.
 */
const CONNECT_MS = 3_000;
/** The web's ports; a page needs no others. */
const PORTS = [443, 80];
/** Maximum concurrent connections: a page opens several per host, and uses many hosts. */
const CONNECTIONS = 512;
/** Maximum number of reported hosts. */
const WANTED = 20;

/**
 * What one look may reach: its preview, the ports of its project, and the project's allowed hosts.
 */
export interface BrowserReach {
  /** The origin of the preview. */
  origin: string;
  /** The project's current list, as in `WorkspaceSettings`. */
  hosts: readonly string[];
  /** Whether the static hosts are allowed as well. */
  staticHosts: boolean;
}

/**
 * The only network access of a page that is looked at. Each parallel look has its own, which no
 * other can use.
 */
export interface BrowserProxy {
  /** Serves this look from now on; without one it serves nothing. */
  begin(reach: BrowserReach): void;
  /** External hosts that this look requested and did not reach. */
  wantedHosts(): WantedHost[];
  /** Whether it is serving a look. */
  readonly busy: boolean;
  /** Stops serving the look, and closes its connections. */
  end(): void;
  close(): Promise<void>;
  /** The listening address: the socket's path, or a port of 127.0.0.1. */
  readonly at: string | number;
}

export interface BrowserProxyOptions {
  gateway: WayToPreviews;
  /** This machine's proxy settings, and the registries, which pages cannot reach. */
  outside: Pick<ConnectProxyOptions, "outside" | "registries"> & { registry: Registry };
  /** Path of a unix socket; absent: a free port on 127.0.0.1. */
  socket?: string;
}

export async function openBrowserProxy(options: BrowserProxyOptions): Promise<BrowserProxy> {
  const { gateway } = options;
  const sockets = new Set<Duplex>();
  const hosts = new Map<string, WantedHost>();
  let reach: BrowserReach | undefined;
  /**
   * Each look has its own client address, so that an app's limits by address, such as for sign-ins,
   * are not used up by other looks.
   */
  let look: LookOrigin = { address: addressOfLook() };

  const want = (host: string, why: WantedHost["why"]) => {
    if (hosts.size < WANTED && !hosts.has(host)) hosts.set(host, { host, why });
  };
  const onUnreached = (host: string) => want(host, "unreached");
  const way = { ...options.outside.outside, connectMs: CONNECT_MS };
  const { registry, registries } = options.outside;
  const outside = createConnectProxy({
    allowed: () => reach?.hosts ?? [],
    registries: registries.map(({ url }) => ({ url })),
    outside: way,
    statics: {
      server: openStaticHostServer({ hosts: STATIC_HOSTS, registry, outside: way, onUnreached }),
      open: () => reach?.staticHosts === true,
    },
    ports: PORTS,
    onRefused: ({ host, reason }: Refusal) =>
      // Hosts that no list can allow are unreachable as well.
      want(host, reason === "not-allowed" ? "not-allowed" : "unreached"),
    onUnreached,
  });

  const outer = createServer((request, response) => {
    const url = URL.parse(request.url ?? "");
    const place = url?.protocol === "http:" && reach && destinationOf(url, reach.origin);
    if (!url || !place) return refuse(response, 400);
    if (place === "outside") return void outside.server.emit("request", request, response);
    if (place === "nowhere") return refuse(response, 403);
    if (place !== "preview") return void toPort(place.port, url, request, response);
    if (request.headers.host?.toLowerCase() !== url.host || !namesOneHost(request))
      return refuse(response, 400);
    request.url = url.pathname + url.search;
    answer(request, response);
  });
  /** Requests by the probe are answered here, as the look itself reports. */
  function answer(request: IncomingMessage, response: ServerResponse): void {
    if (request.url?.split("?", 1)[0] !== REPORT_PATH)
      return gateway.handle(request, response, look);
    request.resume();
    response.writeHead(204).end();
  }
  const isPreview = (request: IncomingMessage) => {
    const url = URL.parse(`http://${request.headers.host}`);
    return url && reach && destinationOf(url, reach.origin) === "preview" && namesOneHost(request);
  };
  /**
   * Handles connections through a tunnel to the preview: only that preview, whatever Host they
   * name.
   */
  const inner = createServer((request, response) => {
    if (isPreview(request)) answer(request, response);
    else refuse(response, 403);
  });
  inner.on("upgrade", (request: IncomingMessage, socket: Duplex, head: Buffer) => {
    if (isPreview(request)) gateway.upgrade(request, socket, head, look);
    else socket.destroy();
  });
  outer.on("connection", (socket: Socket) => {
    sockets.add(socket);
    socket.on("close", () => sockets.delete(socket));
    socket.on("error", () => socket.destroy());
  });
  // Browsers open a tunnel for an upgrade instead of sending it to a proxy.
  outer.on("upgrade", (_request: IncomingMessage, socket: Duplex) => socket.destroy());
  outer.on("connect", (request: IncomingMessage, socket: Socket, head: Buffer) => {
    const url = URL.parse(`tunnel://${request.url}`);
    const place = url && reach && destinationOf(url, reach.origin);
    if (!place || place === "nowhere")
      return void endSoon(socket, "HTTP/1.1 403 Forbidden\r\ncontent-length: 0\r\n\r\n");
    if (place === "outside") return void outside.server.emit("connect", request, socket, head);
    if (place !== "preview") return void tunnelToPort(place.port, socket, head);
    socket.write("HTTP/1.1 200 Connected\r\n\r\n");
    if (head.length > 0) socket.unshift(head);
    inner.emit("connection", socket);
  });

  boundConnections(inner);
  boundConnections(outer, { most: CONNECTIONS });

  const portSocket = (port: number) =>
    (reach ? gateway.connect(new URL(reach.origin).host, port) : Promise.resolve(undefined)).catch(
      () => undefined,
    );

  /**
   * Forwards a request to another port of the sandbox. Behaves as without a proxy: a closed port ends the connection
   * without an answer.
   */
  async function toPort(
    port: number,
    url: URL,
    request: IncomingMessage,
    response: ServerResponse,
  ): Promise<void> {
    const socket = await portSocket(port);
    if (!socket) return void response.destroy();
    socket.on("error", () => socket.destroy());
    const path = url.pathname + url.search;
    await passPlain(url, request, response, { socket, path }).catch(() => response.destroy());
  }

  async function tunnelToPort(port: number, socket: Socket, head: Buffer): Promise<void> {
    const upstream = await portSocket(port);
    if (!upstream)
      return void endSoon(socket, "HTTP/1.1 502 Bad Gateway\r\ncontent-length: 0\r\n\r\n");
    upstream.on("error", () => socket.destroy());
    upstream.on("close", () => socket.destroy());
    socket.on("close", () => upstream.destroy());
    socket.write("HTTP/1.1 200 Connected\r\n\r\n");
    if (head.length > 0) upstream.write(head);
    upstream.pipe(socket).pipe(upstream);
  }

  await new Promise<void>((done, fail) => {
    outer.once("error", fail);
    if (options.socket === undefined) outer.listen(0, "127.0.0.1", done);
    else outer.listen(options.socket, done);
  });
  const end = () => {
    reach = undefined;
    for (const socket of sockets) socket.destroy();
  };
  return {
    at: options.socket ?? (outer.address() as AddressInfo).port,
    begin(next) {
      end();
      hosts.clear();
      look = { address: addressOfLook() };
      reach = next;
    },
    wantedHosts: () => [...hosts.values()],
    get busy() {
      return reach !== undefined;
    },
    end,
    close: () =>
      new Promise((done) => {
        outer.close(() => done());
        end();
      }),
  };
}

/** An address for one look, from 198.18.0.0/15, which is reserved for benchmarks. */
const addressOfLook = () => `198.${18 + randomInt(2)}.${randomInt(256)}.${1 + randomInt(254)}`;

function refuse(response: ServerResponse, status: number): void {
  response.writeHead(status, { "content-length": 0, connection: "close" });
  response.end();
}
