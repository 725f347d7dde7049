import { request as send, type IncomingMessage } from "node:http";
import type { Duplex } from "node:stream";
import { brotliDecompress, gunzip, type InputType } from "node:zlib";
import { promisify } from "node:util";
import { ANSWER_HEAD_BYTES } from "@treadle/workspace";

/** A request has so long for its answer, in milliseconds. */
const ANSWER_MS = 5_000;
/** Bytes of an answer that are read, and of what they unpack to. */
const MOST_BYTES = 8 * 1024 * 1024;

/** What a release answered to somebody whom it does not know. */
export interface Answer {
  status: number;
  headers: IncomingMessage["headers"];
  /** As it came over the line. */
  bytes: number;
  /** Unpacked. */
  text: string;
}

/** Asks a release by GET, as a browser that was never there; undefined where it gives no whole answer in time. */
export type Ask = (path: string, headers?: Record<string, string>) => Promise<Answer | undefined>;

/** The same by any method. */
export type Send = (
  path: string,
  request: { method: string; headers?: Record<string, string>; body?: string | undefined },
) => Promise<Answer | undefined>;

/** Asks over connections that reach nothing but this release. */
export function askOver(connect: () => Promise<Duplex>): Ask {
  const sendTo = sendOver(connect);
  return (path, headers = {}) => sendTo(path, { method: "GET", headers });
}

export function sendOver(connect: () => Promise<Duplex>): Send {
  return async (path, { method, headers = {}, body: sent }) => {
    try {
      const socket = await connect();
      const answer = await new Promise<Omit<Answer, "text"> & { body: Buffer }>(
        (resolve, reject) => {
          const asked = send({
            path,
            method,
            headers: {
              host: "localhost",
              accept: "text/html,application/json,*/*",
              "accept-encoding": "gzip, br",
              connection: "close",
              ...(sent !== undefined && { "content-length": String(Buffer.byteLength(sent)) }),
              ...headers,
            },
            createConnection: () => socket,
            maxHeaderSize: ANSWER_HEAD_BYTES,
            signal: AbortSignal.timeout(ANSWER_MS),
          });
          asked.on("error", reject);
          asked.on("response", (response) => {
            const pieces: Buffer[] = [];
            let bytes = 0;
            response.on("data", (piece: Buffer) => {
              bytes += piece.length;
              if (bytes > MOST_BYTES) response.destroy(new Error("It is too long."));
              else pieces.push(piece);
            });
            response.on("error", reject);
            response.on("end", () =>
              resolve({
                status: response.statusCode ?? 0,
                headers: response.headers,
                bytes,
                body: Buffer.concat(pieces),
              }),
            );
          });
          asked.end(sent);
        },
      ).finally(() => socket.destroy());
      const { body, ...rest } = answer;
      return { ...rest, text: await unpacked(body, rest.headers["content-encoding"]) };
    } catch {
      return undefined;
    }
  };
}

/** Asks what answers in this process. */
export function askBy(fetch: (request: Request) => Response | Promise<Response>): Ask {
  return async (path, headers = {}) => {
    const response = await fetch(
      new Request(`http://localhost${path}`, {
        headers: { accept: "text/html,*/*", "accept-encoding": "gzip", ...headers },
      }),
    );
    const body = Buffer.from(await response.arrayBuffer());
    const told = Object.fromEntries(response.headers);
    return {
      status: response.status,
      headers: { ...told, "set-cookie": response.headers.getSetCookie() },
      bytes: body.length,
      text: await unpacked(body, told["content-encoding"]),
    };
  };
}

const UNPACK: Record<string, (body: InputType, limit: object) => Promise<Buffer>> = {
  gzip: promisify(gunzip),
  br: promisify(brotliDecompress),
};

async function unpacked(body: Buffer, encoding: string | undefined): Promise<string> {
  const unpack = UNPACK[encoding ?? ""];
  const whole = unpack ? await unpack(body, { maxOutputLength: MOST_BYTES * 4 }) : body;
  return whole.toString("utf8");
}

export const isHtml = ({ headers }: Answer) => /^text\/html\b/i.test(headers["content-type"] ?? "");
