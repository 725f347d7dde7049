import { request as ask, STATUS_CODES, type IncomingMessage } from "node:http";
import type { Duplex, Transform } from "node:stream";
import { ANSWER_HEAD_BYTES, endSoon } from "@treadle/common";
import type { RequestTarget } from "@treadle/common";
import type { HeaderLists } from "./hop-headers.ts";
import type { SocketPings } from "./socket-pings.ts";
import { statusWords } from "./status-words.ts";

/**
 * Maximum number of bytes buffered of the client's data before the app accepts. Well-behaved
 * clients send none.
 */
const EARLY = 64 * 1024;
/** Time limit for an app's response to an upgrade, in milliseconds: browsers wait little longer. */
const ANSWER_MS = 20_000;

export interface UpgradeOptions {
  /** A connection to the app, only for this upgrade. */
  socket: Duplex;
  target: RequestTarget;
  /** The headers for the app, made by the same code as for other requests. */
  headers: HeaderLists;
  /** The headers for the browser, made by the same code as for other answers. */
  answerHeaders(answer: IncomingMessage): HeaderLists;
  /** The transform for the client's data. */
  heard?: Transform | undefined;
  /** Closes the client's connection if the client is gone. */
  pings?: SocketPings | undefined;
  /** Called when the app has answered in time. */
  onAnswer?: (() => void) | undefined;
  answerMs?: number;
}

/**
 * Forwards an upgrade to the app. If the app accepts, bytes flow both ways until either side ends. If it does not answer
 * within 20 s, the client receives 504.
 */
export function proxyUpgrade(
  request: IncomingMessage,
  client: Duplex,
  head: Buffer,
  options: UpgradeOptions,
): void {
  const { socket } = options;
  const upstream = ask({
    method: "GET",
    path: options.target.text,
    headers: {
      ...options.headers,
      connection: "Upgrade",
      upgrade: request.headers.upgrade ?? "websocket",
    },
    setHost: false,
    createConnection: () => socket,
    maxHeaderSize: ANSWER_HEAD_BYTES,
  });
  const overdue = setTimeout(() => {
    refuseUpgrade(client, 504);
    upstream.destroy();
  }, options.answerMs ?? ANSWER_MS).unref();
  const answered = () => {
    clearTimeout(overdue);
    options.onAnswer?.();
  };
  client.on("close", () => {
    clearTimeout(overdue);
    upstream.destroy();
  });
  const early = readEarly(client, head);
  upstream.on("error", () => refuseUpgrade(client, 502));
  upstream.on("response", (answer) => {
    answered();
    client.write(answerHead(answer, options.answerHeaders(answer), ["connection: close"]));
    answer.on("error", () => client.destroy());
    answer.pipe(client);
  });
  upstream.on("upgrade", (answer, taken, first: Buffer) => {
    answered();
    taken.on("error", () => client.destroy());
    // Pending data is still sent; then both directions are closed.
    const toClient = options.pings?.toClient ?? client;
    client.once("finish", () => client.destroy());
    taken.on("close", () => toClient.end());
    client.on("close", () => taken.end(() => taken.destroy()));
    const agreed = ["connection: Upgrade", `upgrade: ${answer.headers.upgrade ?? "websocket"}`];
    client.write(answerHead(answer, options.answerHeaders(answer), agreed));
    if (first.length > 0) taken.unshift(first);
    const earlyBytes = early();
    if (earlyBytes.length > 0) client.unshift(earlyBytes);
    taken.pipe(toClient);
    if (toClient !== client) toClient.pipe(client);
    [options.heard, options.pings?.toApp]
      .filter((step) => step !== undefined)
      .reduce<Duplex>((from, step) => from.pipe(step), client)
      .pipe(taken);
    options.pings?.start();
  });
  upstream.end();
}

/**
 * Reads the client's data before the app accepts: if nothing read the socket, its closing would go unnoticed.
 * @returns a function that stops reading and returns the data
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

/** Refuses an upgrade before the handshake, and closes the connection. */
export function refuseUpgrade(client: Duplex, status: number): void {
  endSoon(
    client,
    `HTTP/1.1 ${status} ${STATUS_CODES[status] ?? ""}\r\ncontent-length: 0\r\nconnection: close\r\n\r\n`,
  );
}

function answerHead(answer: IncomingMessage, headers: HeaderLists, own: string[]): string {
  const lines = Object.entries(headers).flatMap(([name, values]) =>
    values.map((value) => `${name}: ${value}`),
  );
  const status = `HTTP/1.1 ${answer.statusCode ?? 502} ${statusWords(answer.statusMessage) ?? ""}`;
  return [status, ...lines, ...own, "", ""].join("\r\n");
}
