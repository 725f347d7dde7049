import { request as ask, STATUS_CODES, type IncomingMessage } from "node:http";
import type { Duplex, Transform } from "node:stream";
import { ANSWER_HEAD_BYTES, endSoon } from "@treadle/workspace";
import { requestPath } from "./request-path.ts";
import { upstreamHeaders } from "./request-headers.ts";
import { browserHeaders } from "./response-headers.ts";
import { statusWords } from "./status-words.ts";
import type { Rewriting } from "./types.ts";

/** Bytes that are kept of what a client says before the app agrees. Well-behaved ones say nothing. */
const EARLY = 64 * 1024;

export interface UpgradeOptions extends Rewriting {
  socket: Duplex;
  /** What the client says goes through it. */
  heard?: Transform | undefined;
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
    maxHeaderSize: ANSWER_HEAD_BYTES,
  });
  client.on("close", () => upstream.destroy());
  const early = readEarly(client, head);
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
    const said = early();
    if (said.length > 0) client.unshift(said);
    taken.pipe(client);
    (options.heard ? client.pipe(options.heard) : client).pipe(taken);
  });
  upstream.end();
}

/**
 * Reads what the client says before anything was agreed: one that is not read could leave, and nobody would see it.
 * @returns what ends that, and gives what was said
 */
function readEarly(client: Duplex, head: Buffer): () => Buffer {
  const pieces = [head];
  let size = head.length;
  const left = () => client.destroy();
  const take = (piece: Buffer) => {
    pieces.push(piece);
    size += piece.length;
    if (size > EARLY) client.pause();
  };
  client.on("data", take).on("end", left);
  return () => {
    client.off("data", take).off("end", left).pause();
    return Buffer.concat(pieces);
  };
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
  reach: Rewriting,
  own: string[],
): string {
  const headers = browserHeaders(answer, request.headers.host ?? "", reach);
  const lines = Object.entries(headers).flatMap(([name, values]) =>
    values.map((value) => `${name}: ${value}`),
  );
  const status = `HTTP/1.1 ${answer.statusCode ?? 502} ${statusWords(answer.statusMessage) ?? ""}`;
  return [status, ...lines, ...own, "", ""].join("\r\n");
}
