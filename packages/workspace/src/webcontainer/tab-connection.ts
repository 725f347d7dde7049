import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import { duplexPair, type Duplex } from "node:stream";
import type { TabAnswer, TabAsk } from "@treadle/protocol";

type Request = Omit<Extract<TabAsk, { kind: "request" }>, "kind" | "port">;
type Response = Extract<TabAnswer, { kind: "request" }>;

/** Maximum size of a forwarded body, in bytes. */
const BODY_BYTES = 4 * 1024 * 1024;
/** Headers that belong to a connection, or that no longer describe the received bytes. */
const NOT_PASSED =
  /^(?:connection|keep-alive|proxy-.*|te|trailer|transfer-encoding|upgrade|host|content-length|content-encoding|accept-encoding|expect)$/i;

/**
 * A replacement for a connection to a port of the container, which cannot be reached directly: the tab performs HTTP
 * requests inside the container. WebSockets are refused, and answers arrive only when complete.
 */
export function connectByRequests(ask: (request: Request) => Promise<Response>): Duplex {
  const [near, far] = duplexPair();
  const server = createServer((request, response) => {
    pass(request, response, ask).catch((error: unknown) => {
      if (!response.headersSent) response.writeHead(502, { "content-type": "text/plain" });
      response.end(error instanceof Error ? error.message : String(error));
    });
  });
  server.on("upgrade", (_request, socket) => {
    socket.end("HTTP/1.1 501 Not Implemented\r\nConnection: close\r\nContent-Length: 0\r\n\r\n");
  });
  server.emit("connection", far);
  return near;
}

async function pass(
  request: IncomingMessage,
  response: ServerResponse,
  ask: (request: Request) => Promise<Response>,
): Promise<void> {
  const pieces: Buffer[] = [];
  let size = 0;
  for await (const piece of request as AsyncIterable<Buffer>) {
    size += piece.length;
    if (size > BODY_BYTES) throw new Error("A request to a tab has 4 MB at most.");
    pieces.push(piece);
  }
  const headers: Record<string, string> = {};
  for (const [name, value] of Object.entries(request.headers))
    if (value !== undefined && !NOT_PASSED.test(name)) headers[name] = [value].flat().join(", ");
  const answer = await ask({
    method: request.method ?? "GET",
    path: request.url ?? "/",
    headers,
    base64: Buffer.concat(pieces).toString("base64"),
  });
  const body = Buffer.from(answer.base64, "base64");
  for (const [name, value] of answer.headers)
    if (!NOT_PASSED.test(name)) response.appendHeader(name, value);
  response.writeHead(answer.status, { "content-length": body.length });
  response.end(request.method === "HEAD" ? undefined : body);
}
