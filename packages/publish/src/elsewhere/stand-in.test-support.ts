/**
 * The shared part of the stand-ins for other hosts' APIs. Each one is written after the host's
 * public description.
 */
import { createServer, type IncomingHttpHeaders, type IncomingMessage } from "node:http";
import type { AddressInfo } from "node:net";

export interface Asked {
  /** The method and path without the query, such as `PUT /deploys/1/files/a.html`. */
  line: string;
  method: string;
  path: string;
  query: URLSearchParams;
  headers: IncomingHttpHeaders;
  bytes: Buffer;
  /** Parses the body as JSON. */
  body(): Record<string, unknown>;
}

export interface Answer {
  status: number;
  body?: unknown;
  headers?: Record<string, string>;
}

/** Replaces an answer: the connection is cut, or nothing is sent. */
export type Fault = Answer | "cut" | "hang";

export interface StandIn {
  origin: string;
  asked: Asked[];
  /** Called before each answer. */
  fault: ((asked: Asked) => Fault | undefined) | undefined;
  close(): Promise<void>;
}

export async function startStandIn(answer: (asked: Asked) => Answer): Promise<StandIn> {
  const server = createServer((request, response) => {
    read(request).then(
      (asked) => {
        standIn.asked.push(asked);
        const fault = standIn.fault?.(asked);
        if (fault === "hang") return;
        if (fault === "cut") return request.socket.destroy();
        const { status, body, headers } = fault ?? answer(asked);
        response
          .writeHead(status, { "content-type": "application/json", ...headers })
          .end(body === undefined ? "" : JSON.stringify(body));
      },
      () => request.socket.destroy(),
    );
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const standIn: StandIn = {
    origin: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    asked: [],
    fault: undefined,
    async close() {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
  return standIn;
}

async function read(request: IncomingMessage): Promise<Asked> {
  const pieces: Buffer[] = [];
  for await (const piece of request) pieces.push(piece as Buffer);
  const bytes = Buffer.concat(pieces);
  const url = new URL(request.url!, "http://stand-in");
  return {
    line: `${request.method} ${url.pathname}`,
    method: request.method!,
    path: url.pathname,
    query: url.searchParams,
    headers: request.headers,
    bytes,
    body: () => JSON.parse(bytes.toString()) as Record<string, unknown>,
  };
}

/** The parts of a form by name, with type and bytes. */
export function partsOf({ headers, bytes }: Asked): Map<string, { type: string; bytes: Buffer }> {
  const boundary = /boundary=(\S+)/.exec(headers["content-type"] ?? "")?.[1];
  if (boundary === undefined) throw new Error("That is no form.");
  const parts = new Map<string, { type: string; bytes: Buffer }>();
  for (const piece of bytes.toString("latin1").split(`--${boundary}`).slice(1, -1)) {
    const [head = "", ...rest] = piece.split("\r\n\r\n");
    const name = /name="([^"]*)"/.exec(head)?.[1] ?? "";
    const type = /content-type: (.*)/i.exec(head)?.[1] ?? "";
    parts.set(name, {
      type,
      bytes: Buffer.from(rest.join("\r\n\r\n").slice(0, -2), "latin1"),
    });
  }
  return parts;
}
