import { request as ask, STATUS_CODES, type IncomingMessage, type ServerResponse } from "node:http";
import type { Duplex } from "node:stream";
import { pipeline } from "node:stream/promises";
import { ANSWER_HEAD_BYTES, endSoon } from "@treadle/common";
import { CLIENT_HEADER, passedHeaders, SECRET_HEADER } from "./forwarded-headers.ts";

/** Where a request is sent, and the secret that the receiving server expects. */
export interface Destination {
  address: string;
  secret: string;
  /** Called if the server cannot be reached. */
  onUnreachable(): void;
}

function send(request: IncomingMessage, { address, secret }: Destination, more: string[] = []) {
  const { hostname, port } = new URL(address);
  return ask({
    // Each request has a connection of its own, whose client the other server takes it to come from.
    agent: false,
    host: hostname.replace(/^\[|\]$/g, ""),
    port,
    method: request.method,
    path: request.url,
    headers: [
      ...passedHeaders(request),
      SECRET_HEADER,
      secret,
      CLIENT_HEADER,
      request.socket.remoteAddress ?? "",
      ...more,
    ],
    setHost: false,
    maxHeaderSize: ANSWER_HEAD_BYTES,
  });
}

/** Forwards a request to another server and streams the answer back. Never throws. */
export function forwardRequest(
  request: IncomingMessage,
  response: ServerResponse,
  destination: Destination,
): void {
  const upstream = send(request, destination, ["connection", "close"]);
  response.on("close", () => upstream.destroy());
  request.on("error", () => upstream.destroy());
  upstream.on("error", () => {
    if (response.headersSent) return void response.destroy();
    destination.onUnreachable();
    request.resume();
    // The next owner is known once the lease of this one has ended.
    response.writeHead(503, { "retry-after": "1", "cache-control": "no-store" }).end();
  });
  upstream.on("upgrade", (_, taken) => taken.destroy());
  upstream.on("response", (answer) => {
    response.writeHead(answer.statusCode ?? 502, answer.statusMessage, passedHeaders(answer));
    // The start of an event stream is visible before its first event.
    response.flushHeaders();
    pipeline(answer, response).catch(() => response.destroy());
  });
  request.pipe(upstream);
}

/** Forwards an upgrade to another server; if that accepts, bytes flow both ways until either side ends. */
export function forwardUpgrade(
  request: IncomingMessage,
  client: Duplex,
  head: Buffer,
  destination: Destination,
): void {
  const { upgrade = "websocket" } = request.headers;
  const upstream = send(request, destination, ["connection", "Upgrade", "upgrade", upgrade]);
  client.on("error", () => client.destroy());
  client.on("close", () => upstream.destroy());
  upstream.on("error", () => {
    destination.onUnreachable();
    endSoon(client, "HTTP/1.1 503 Service Unavailable\r\nretry-after: 1\r\ncontent-length: 0\r\nconnection: close\r\n\r\n"); // prettier-ignore
  });
  upstream.on("response", (answer) => {
    client.write(headOf(answer, ["connection: close"]));
    answer.on("error", () => client.destroy());
    answer.pipe(client);
  });
  upstream.on("upgrade", (answer, taken, first) => {
    taken.on("error", () => client.destroy());
    client.on("close", () => taken.destroy());
    taken.on("close", () => client.destroy());
    client.write(headOf(answer, ["connection: Upgrade", `upgrade: ${upgrade}`]));
    if (first.length > 0) client.write(first);
    if (head.length > 0) taken.write(head);
    taken.pipe(client);
    client.pipe(taken);
  });
  upstream.end();
}

function headOf(answer: IncomingMessage, own: string[]): string {
  const { statusCode = 502 } = answer;
  const headers = passedHeaders(answer);
  const lines = headers.flatMap((name, index) =>
    index % 2 === 0 ? [`${name}: ${headers[index + 1] ?? ""}`] : [],
  );
  return [`HTTP/1.1 ${statusCode} ${STATUS_CODES[statusCode] ?? ""}`, ...lines, ...own, "", ""].join("\r\n"); // prettier-ignore
}
