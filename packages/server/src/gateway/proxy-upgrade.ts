import { request as ask, STATUS_CODES, type IncomingMessage } from "node:http";
import type { Duplex } from "node:stream";
import { endSoon } from "@treadle/workspace";
import { requestPath } from "./request-path.ts";
import { upstreamHeaders } from "./request-headers.ts";
import { browserHeaders } from "./response-headers.ts";
import type { Reach } from "./types.ts";

export interface UpgradeOptions extends Reach {
  socket: Duplex;
}

/** Hands an upgrade to the app; when it agrees, bytes go both ways until either side ends. */
export function proxyUpgrade(
  request: IncomingMessage,
  client: Duplex,
  head: Buffer,
  options: UpgradeOptions,
): void {
  const { socket } = options;
  const headers = upstreamHeaders(request, options);
  headers.connection = ["Upgrade"];
  headers.upgrade = [request.headers.upgrade ?? "websocket"];
  const upstream = ask({
    method: request.method,
    path: requestPath(request.url),
    headers,
    setHost: false,
    createConnection: () => socket,
  });
  client.on("close", () => upstream.destroy());
  upstream.on("error", () => refuseUpgrade(client, 502));
  upstream.on("response", (answer) => {
    client.write(answerHead(answer, request, options, ["connection: close"]));
    answer.on("error", () => client.destroy());
    answer.pipe(client);
  });
  upstream.on("upgrade", (answer, taken, first: Buffer) => {
    taken.on("error", () => client.destroy());
    // What was said last still goes out; then nothing is left half open.
    taken.on("close", () => client.end(() => client.destroy()));
    client.on("close", () => taken.end(() => taken.destroy()));
    const agreed = ["connection: Upgrade", `upgrade: ${answer.headers.upgrade ?? "websocket"}`];
    client.write(answerHead(answer, request, options, agreed));
    if (first.length > 0) taken.unshift(first);
    if (head.length > 0) client.unshift(head);
    taken.pipe(client).pipe(taken);
  });
  upstream.end();
}

/** Says no before anything was agreed, and ends. */
export function refuseUpgrade(client: Duplex, status: number): void {
  endSoon(
    client,
    `HTTP/1.1 ${status} ${STATUS_CODES[status] ?? ""}\r\ncontent-length: 0\r\nconnection: close\r\n\r\n`,
  );
}

function answerHead(
  answer: IncomingMessage,
  request: IncomingMessage,
  reach: Reach,
  own: string[],
): string {
  const headers = browserHeaders(answer, request.headers.host ?? "", reach);
  const lines = Object.entries(headers).flatMap(([name, values]) =>
    values.map((value) => `${name}: ${value}`),
  );
  const status = `HTTP/1.1 ${answer.statusCode ?? 502} ${answer.statusMessage ?? ""}`;
  return [status, ...lines, ...own, "", ""].join("\r\n");
}
