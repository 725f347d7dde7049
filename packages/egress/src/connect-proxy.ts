import { createServer, type IncomingMessage, type Server, type ServerResponse } from "node:http";
import type { Server as SecureServer } from "node:https";
import type { Duplex } from "node:stream";
import { once } from "node:events";
import { connect as connectSecure, rootCertificates } from "node:tls";
import { boundConnections, endSoon, HANDSHAKE_MS } from "@treadle/common";
import { isAllowedHost } from "./allowed-host.ts";
import { createRateLimit } from "./rate-limit.ts";
import { connectProxy, checkWhereKnown, dialOut, type Outside } from "./dial-out.ts";
import { firstToSpeak, readFirstBytes } from "./first-bytes.ts";
import { passMailStart } from "./mail-start.ts";
import { passPlain, type PlainWay } from "./pass-plain.ts";
import { isPostgresStart, passPostgresStart } from "./postgres-start.ts";
import { AddressRefused } from "./public-address.ts";
import { refusalOf, refusalWords, type Refusal } from "./refusal.ts";
import type { StaticHostServer } from "./static-hosts/static-host-server.ts";
import { NO_PROXIES, proxyFor, proxyLogin } from "./upstream-proxy.ts";
import { REFUSED_HEADER } from "./refused-header.ts";

/** Set on the proxy's own responses: an allowed host that is unreachable from this machine. */
export const UNREACHED_HEADER = "x-treadle-unreached";

/** The TLS alert for an unknown name (RFC 6066), as clients expect it. */
const UNKNOWN_NAME = Buffer.from([21, 3, 3, 0, 2, 2, 112]);

export interface ConnectProxyOptions {
  /** The project's current list. */
  allowed(): readonly string[];
  /**
   * Registries, which are reached by their own protocol only. Each with the server that answers in
   * its place, if any.
   */
  registries: readonly { url: URL; server?: Server }[];
  outside: Outside;
  /** Hosts that are answered here, over TLS. */
  answered?: readonly { host: string; server: SecureServer }[];
  /** The server for static hosts, and whether it is enabled now. Absent: there is none. */
  statics?: { server: StaticHostServer; open(): boolean };
  /** Ports that may be reached. Absent: those of the list. */
  ports?: readonly number[];
  onRefused(refusal: Refusal): void;
  /** Called for an allowed host that is unreachable from here. */
  onUnreached?(host: string, port: number): void;
}

/**
 * The proxy for everything but the registry's protocol: tunnels (CONNECT) and plain HTTP to hosts that are allowed by
 * name. The sandbox has no other network and no resolver, so a refused name is never looked up (A28). The client's first
 * bytes in a tunnel name its host, which must be allowed as well. A refusal is immediate and states its reason; nothing
 * waits for a person.
 */
export function createConnectProxy(options: ConnectProxyOptions) {
  const { outside, ports, registries } = options;
  const atMostOneASecond = createRateLimit();
  /** Open connections, so that they can be closed when their host is removed from the list. */
  const open = new Set<{ host: string; port: number; end(): void }>();

  const registryAt = (host: string, port: number) =>
    registries.find(({ url }) => url.hostname === host.toLowerCase() && portOf(url) === port);
  /** The usual ports lead to the registry as well, whatever address it is configured with. */
  const isRegistry = (host: string, port: number) =>
    registries.some(
      ({ url }) =>
        url.hostname === host.toLowerCase().replace(/\.$/, "") &&
        [443, 80, portOf(url)].includes(port),
    );

  /** Whether Treadle's own server answers for a static host: not if the project's list allows unrestricted access. */
  const isStatic = (host: string, port: number) =>
    (port === 443 || port === 80) &&
    options.statics?.open() === true &&
    options.statics.server.serves(host) &&
    !isAllowedHost(host, port, options.allowed());

  /** Why a host may not be reached; undefined if it may. */
  function objection(host: string, port: number): Refusal | undefined {
    if (isRegistry(host, port)) return refusalOf(host, port, "registry");
    const may = (!ports || ports.includes(port)) && isAllowedHost(host, port, options.allowed());
    return may ? undefined : refusalOf(host, port);
  }

  const server = createServer((request, response) => {
    const url = URL.parse(request.url ?? "");
    if (url?.protocol !== "http:" && url?.protocol !== "https:")
      return refuse(response, refusalOf(request.headers.host ?? "", 80));
    const registry = registryAt(url.hostname, portOf(url));
    if (registry?.server && registry.url.protocol === "http:") {
      request.url = url.pathname + url.search;
      return void registry.server.emit("request", request, response);
    }
    passOn(url, request, response, url.protocol === "https:" ? securely : directly);
  });

  /** Unencrypted requests in a tunnel, each for the host that it names. */
  const inner = createServer((request, response) => {
    const port = tunnels.get(request.socket) ?? 80;
    const { host = "" } = request.headers;
    const url = URL.parse(`http://${/:\d+$/.test(host) ? host : `${host}:${port}`}${request.url}`);
    if (!url) return refuse(response, refusalOf(host, port));
    passOn(url, request, response, (to) => dialled(to));
  });
  /** The port to which a plain connection's tunnel was opened. */
  const tunnels = new WeakMap<Duplex, number>();
  inner.on("upgrade", (_request, socket: Duplex) => {
    endWith(socket, "501 Not Implemented", "Sockets go through only encrypted (wss).");
  });
  boundConnections(inner);

  function passOn(
    url: URL,
    request: IncomingMessage,
    response: ServerResponse,
    way: (url: URL) => Promise<PlainWay>,
  ): void {
    const [host, port] = [url.hostname, portOf(url)];
    if (isStatic(host, port)) {
      request.url = url.pathname + url.search;
      request.headers.host = host;
      return options.statics!.server.answer(request, response);
    }
    const refusal = objection(host, port);
    if (refusal) return refuse(response, refusal);
    way(url)
      .then((going) => {
        const entry = { host, port, end: () => going.socket.destroy() };
        open.add(entry);
        going.socket.on("close", () => open.delete(entry));
        return passPlain(url, request, response, going);
      })
      .catch((error: unknown) => {
        if (error instanceof AddressRefused)
          return refuse(response, refusalOf(host, port, "address"));
        if (response.headersSent) return void response.destroy();
        options.onUnreached?.(host, port);
        response.setHeader(UNREACHED_HEADER, "1");
        answer(response, 502, `${host} cannot be reached: ${(error as Error).message}`);
      });
  }

  async function directly(url: URL): Promise<PlainWay> {
    const [host, port] = [url.hostname, portOf(url)];
    const proxy = proxyFor({ host, port, secure: false }, outside.proxies);
    if (!proxy) return dialled(url, NO_PROXIES);
    const login = proxyLogin(proxy);
    await checkWhereKnown(host, outside.resolve);
    const socket: Duplex = await connectProxy(proxy, outside.ca);
    return { socket, path: url.href, login };
  }

  /** Some clients (needle, older versions of axios) expect a proxy to encrypt for them. */
  async function securely(url: URL): Promise<PlainWay> {
    const { socket: plain, path } = await dialled(url);
    const socket = connectSecure({
      socket: plain,
      servername: url.hostname,
      ca: outside.ca ? [...rootCertificates, outside.ca] : undefined,
    });
    socket.on("error", () => plain.destroy());
    const signal = AbortSignal.timeout(HANDSHAKE_MS);
    await once(socket, "secureConnect", { signal }).catch((error: unknown) => {
      // A silent host would keep the connection open.
      socket.destroy();
      throw error;
    });
    return { socket, path };
  }

  async function dialled(url: URL, proxies = outside.proxies) {
    const socket: Duplex = await dialOut(url.hostname, portOf(url), { ...outside, proxies });
    return { socket, path: url.pathname + url.search };
  }

  server.on("connect", (request: IncomingMessage, socket: Duplex, head: Buffer) => {
    const [, host = "", digits = ""] = /^\[?([^\]]*?)\]?:(\d{1,5})$/.exec(request.url ?? "") ?? [];
    const port = Number(digits);
    socket.on("error", () => undefined);
    const registry = registryAt(host, port);
    if (registry?.server && registry.url.protocol === "http:") {
      socket.write("HTTP/1.1 200 Connection Established\r\n\r\n");
      if (head.length > 0) socket.unshift(head);
      return void registry.server.emit("connection", socket);
    }
    const answered = port === 443 && options.answered?.find((one) => one.host === host);
    if (answered) {
      socket.write("HTTP/1.1 200 Connection Established\r\n\r\n");
      if (head.length > 0) socket.unshift(head);
      return void answered.server.emit("connection", socket);
    }
    if (isStatic(host, port)) {
      socket.write("HTTP/1.1 200 Connection Established\r\n\r\n");
      if (head.length > 0) socket.unshift(head);
      const { server: answering } = port === 443 ? options.statics!.server : { server: inner };
      return void answering.emit("connection", socket);
    }
    const refusal = objection(host || (request.url ?? ""), port);
    if (refusal) return refuseTunnel(socket, refusal);
    tunnel(host, port, socket, head).catch((error: unknown) => {
      if (error instanceof AddressRefused)
        return refuseTunnel(socket, refusalOf(host, port, "address"));
      options.onUnreached?.(host, port);
      const words = `${host} cannot be reached: ${(error as Error).message}`;
      endWith(socket, "502 Bad Gateway", words, `${UNREACHED_HEADER}: 1\r\n`);
    });
  });

  async function tunnel(host: string, port: number, socket: Duplex, head: Buffer): Promise<void> {
    const upstream = await dialOut(host, port, outside);
    const entry = {
      host,
      port,
      end() {
        upstream.destroy();
        socket.destroy();
      },
    };
    open.add(entry);
    socket.on("close", () => {
      open.delete(entry);
      upstream.destroy();
    });
    upstream.on("error", () => socket.destroy());
    const ended = () => socket.destroy();
    upstream.on("close", ended);
    if (socket.destroyed) return void upstream.destroy();
    socket.write("HTTP/1.1 200 Connection Established\r\n\r\n");
    const speaker = head.length > 0 ? socket : await firstToSpeak(socket, upstream);
    if (!speaker) return void socket.destroy();
    if (speaker === upstream) {
      const start = await passMailStart(socket, upstream);
      if (start === "ended") return void socket.destroy();
      if (typeof start === "object") {
        upstream.off("close", ended).destroy();
        options.onRefused(refusalOf(host, port, "not-named"));
        return void atMostOneASecond(() => endSoon(socket, start.refuse));
      }
    }
    let first = await readFirstBytes(socket, head);
    if (first?.kind === "plain" && isPostgresStart(first.bytes))
      if (await passPostgresStart(socket, upstream))
        first = await readFirstBytes(socket, Buffer.alloc(0));
    if (!first || socket.destroyed) return void socket.destroy();
    if (first.kind === "plain" && isHttp(first.bytes)) {
      upstream.off("close", ended).destroy();
      tunnels.set(socket, port);
      socket.unshift(first.bytes);
      inner.emit("connection", socket);
      return void socket.resume();
    }
    const refusal =
      first.kind === "tls" ? objection(first.name, port) : refusalOf(host, port, "not-named");
    if (refusal) {
      options.onRefused(refusal);
      return void atMostOneASecond(() =>
        endSoon(socket, first.kind === "plain" ? "" : UNKNOWN_NAME),
      );
    }
    upstream.write(first.bytes);
    upstream.pipe(socket).pipe(upstream);
  }

  function refuse(response: ServerResponse, refusal: Refusal): void {
    options.onRefused(refusal);
    atMostOneASecond(() => {
      response.setHeader(REFUSED_HEADER, refusalHeader(refusal));
      answer(response, 403, refusalWords(refusal));
    });
  }

  function refuseTunnel(socket: Duplex, refusal: Refusal): void {
    options.onRefused(refusal);
    const header = `${REFUSED_HEADER}: ${refusalHeader(refusal)}\r\n`;
    atMostOneASecond(() => endWith(socket, "403 Forbidden", refusalWords(refusal), header));
  }

  return {
    /** Not listening yet. */
    server,
    /** Closes connections to hosts that are no longer allowed. */
    recheck(): void {
      for (const { host, port, end } of open) if (objection(host, port)) end();
    },
  };
}

/** A method and a space: the start of an HTTP request. */
const isHttp = (bytes: Buffer) => /^[A-Z]{3,12} \S/.test(bytes.toString("latin1", 0, 16));

const portOf = (url: URL) => Number(url.port || (url.protocol === "https:" ? 443 : 80));

const refusalHeader = ({ host, reason }: Refusal) => `${reason} ${host}`;

function answer(response: ServerResponse, status: number, words: string): void {
  response.writeHead(status, { "content-type": "text/plain", connection: "close" }).end(words);
}

function endWith(socket: Duplex, status: string, words: string, header = ""): void {
  endSoon(
    socket,
    `HTTP/1.1 ${status}\r\n${header}Content-Type: text/plain\r\nContent-Length: ${Buffer.byteLength(words)}\r\nConnection: close\r\n\r\n${words}`,
  );
}
