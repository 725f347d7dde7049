import type { IncomingMessage, ServerResponse } from "node:http";
import { createServer, request as secureRequest, type Server } from "node:https";
import { pipeline } from "node:stream";
import { connect as connectSecure, rootCertificates } from "node:tls";
import { boundConnections, HANDSHAKE_MS } from "@treadle/common";
import { dialOut, type Outside } from "../dial-out.ts";
import { AddressRefused } from "../public-address.ts";
import { limitBytes } from "../limit-bytes.ts";
import type { CertificateAuthority } from "./certificate-authority.ts";

/** Maximum characters of an address. The address is the only data that leaves the machine. */
const ADDRESS_LIMIT = 4_096;
/** Maximum size of one response, in bytes. */
const ANSWER_LIMIT = 64 * 1024 * 1024;
/** Time limit for the next chunk of a response, in milliseconds. */
const QUIET_MS = 30_000;

/** Request headers that are forwarded: no cookie, no login, no referrer. */
const PASSED = [
  "accept",
  "accept-encoding",
  "accept-language",
  "user-agent",
  "range",
  "if-range",
  "if-none-match",
  "if-modified-since",
];
/** The client's origin as seen by the other side. */
const ORIGIN = "http://localhost";
/** Response headers that are not forwarded. */
const DROPPED = ["set-cookie", "connection", "keep-alive", "alt-svc", "clear-site-data"];

export interface StaticHostServer {
  /** Handles TLS connections passed to it; does not listen. */
  server: Server;
  /** Answers a plain HTTP request. */
  answer(request: IncomingMessage, response: ServerResponse): void;
  serves(host: string): boolean;
}

/** Answers for an unreachable host; undefined if it has no answer either. */
export type StandIn = (url: URL) => Promise<{ type: string; body: Buffer } | undefined>;

/**
 * A server in front of the static hosts: it terminates TLS with a certificate that only its own
 * sandboxes and browser trust, so that it can restrict requests to GET and HEAD without body,
 * cookie or login.
 */
export function createStaticHostServer(options: {
  hosts: readonly string[];
  authority: CertificateAuthority;
  outside: Outside;
  standIn?: StandIn;
  onUnreached?(host: string): void;
}): StaticHostServer {
  const { hosts, authority, outside, standIn } = options;
  const { key, cert } = authority;
  const server = createServer({ key, cert, handshakeTimeout: HANDSHAKE_MS }, answer);
  server.on("tlsClientError", (_error, socket) => socket.destroy());
  boundConnections(server);

  function answer(request: IncomingMessage, response: ServerResponse): void {
    const refuse = (status: number, words: string) =>
      response
        .writeHead(status, { "content-type": "text/plain", connection: "close" })
        .end(`${words}\n`);
    const host = hostOf(request.headers.host);
    if (!hosts.includes(host)) return void refuse(421, "This is not a static host.");
    const { method = "", headers } = request;
    if (method !== "GET" && method !== "HEAD")
      return void refuse(405, `${host} is a static host: only GET and HEAD are allowed.`);
    if (Number(headers["content-length"] ?? 0) > 0 || headers["transfer-encoding"] !== undefined)
      return void refuse(413, `${host} is a static host: nothing may be sent to it.`);
    const url = URL.parse(request.url ?? "", `https://${host}`);
    if (!url || url.host !== host || url.href.length > ADDRESS_LIMIT)
      return void refuse(414, "That is not an address of a static host.");
    pass(url, request, response).catch(async (error: unknown) => {
      if (response.headersSent) return void response.destroy();
      const found =
        error instanceof AddressRefused || !standIn
          ? undefined
          : await standIn(url).catch(() => undefined);
      if (response.destroyed) return;
      if (found)
        return void response
          .writeHead(200, {
            "content-type": found.type,
            "content-length": found.body.length,
            "access-control-allow-origin": "*",
          })
          .end(method === "HEAD" ? undefined : found.body);
      options.onUnreached?.(host);
      refuse(502, `${host} cannot be reached: ${(error as Error).message}`);
    });
  }

  async function pass(url: URL, request: IncomingMessage, response: ServerResponse): Promise<void> {
    const plain = await dialOut(url.hostname, 443, outside);
    response.on("close", () => plain.destroy());
    const socket = connectSecure({
      socket: plain,
      servername: url.hostname,
      ca: outside.ca ? [...rootCertificates, outside.ca] : undefined,
    });
    const page = request.headers.origin;
    const headers = Object.fromEntries(
      PASSED.flatMap((name) => {
        const value = request.headers[name];
        return value === undefined ? [] : [[name, value]];
      }),
    );
    await new Promise<void>((done, fail) => {
      const asked = secureRequest({
        createConnection: () => socket,
        method: request.method,
        path: url.pathname + url.search,
        headers: {
          ...headers,
          host: url.host,
          ...(page && { origin: ORIGIN }),
          connection: "close",
        },
      });
      asked.setTimeout(QUIET_MS, () => asked.destroy(new Error("it does not answer")));
      asked.on("error", fail);
      asked.on("response", (found) => {
        const forwarded = Object.fromEntries(
          Object.entries(found.headers).filter(([name]) => !DROPPED.includes(name)),
        );
        if (page && forwarded["access-control-allow-origin"] === ORIGIN)
          forwarded["access-control-allow-origin"] = page;
        response.writeHead(found.statusCode ?? 502, forwarded);
        pipeline(found, limitBytes(ANSWER_LIMIT), response, () => done());
      });
      asked.end();
    });
  }

  return { server, answer, serves: (host) => hosts.includes(hostOf(host)) };
}

const hostOf = (host: string | undefined) =>
  (host ?? "")
    .toLowerCase()
    .replace(/:(?:443|80)$/, "")
    .replace(/\.$/, "");
