import { request as send, type IncomingMessage } from "node:http";
import type { Duplex } from "node:stream";
import { brotliDecompress, gunzip, type InputType } from "node:zlib";
import { promisify } from "node:util";
import { ANSWER_HEAD_BYTES } from "@treadle/common";

/** Time limit for an answer, in milliseconds. */
const ANSWER_MS = 5_000;
/** Maximum size of an answer, also after decompression, in bytes. */
const MOST_BYTES = 8 * 1024 * 1024;
/** How long an event stream may take to send its first data, in milliseconds; then it counts as empty. */
const STREAM_MS = 500;

/** A release's answer to an anonymous request. */
export interface Answer {
  status: number;
  headers: IncomingMessage["headers"];
  /** Size of the answer as transferred, as far as it was read. */
  bytes: number;
  /** Decompressed. */
  text: string;
}

/**
 * Sends a GET to a release like a browser without cookies; undefined if no answer begins in time or
 * the connection breaks.
 */
export type Ask = (path: string, headers?: Record<string, string>) => Promise<Answer | undefined>;

/** Sends a request with any method to a release; undefined in the same cases as for `Ask`. */
export type Send = (
  path: string,
  request: { method: string; headers?: Record<string, string>; body?: string | undefined },
) => Promise<Answer | undefined>;

/** Sends requests over connections that reach only this release. */
export function askOver(connect: () => Promise<Duplex>): Ask {
  const sendTo = sendOver(connect);
  return (path, headers = {}) => sendTo(path, { method: "GET", headers });
}

export function sendOver(connect: () => Promise<Duplex>): Send {
  return async (path, { method, headers = {}, body: sent }) => {
    try {
      const socket = await connect();
      const inTime = AbortSignal.timeout(ANSWER_MS);
      const answer = await new Promise<Omit<Answer, "text"> & { body: Buffer | undefined }>(
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
            signal: inTime,
          });
          asked.on("error", reject);
          asked.on("response", (response) => {
            asked.off("error", reject).on("error", () => undefined);
            const pieces: Buffer[] = [];
            let bytes = 0;
            const done = (isWhole: boolean) =>
              resolve({
                status: response.statusCode ?? 0,
                headers: response.headers,
                bytes,
                // A truncated compressed body cannot be decompressed.
                body:
                  isWhole || response.headers["content-encoding"] === undefined
                    ? Buffer.concat(pieces)
                    : undefined,
              });
            const isStream = /^text\/event-stream\b/i.test(response.headers["content-type"] ?? "");
            if (isStream) setTimeout(() => done(false), STREAM_MS).unref();
            response.on("data", (piece: Buffer) => {
              bytes += piece.length;
              pieces.push(piece);
              if (isStream || bytes > MOST_BYTES) done(false);
            });
            // An answer that has begun counts, even if it does not end in time.
            response.on("error", (error) => (inTime.aborted ? done(false) : reject(error)));
            response.on("end", () => done(true));
          });
          asked.end(sent);
        },
      ).finally(() => socket.destroy());
      const { body, ...rest } = answer;
      const text = body && (await unpacked(body, rest.headers["content-encoding"]));
      return { ...rest, text: text ?? "" };
    } catch {
      return undefined;
    }
  };
}

/** Sends requests to a handler in this process. */
export function askBy(fetch: (request: Request) => Response | Promise<Response>): Ask {
  return async (path, headers = {}) => {
    const response = await fetch(
      new Request(`http://localhost${path}`, {
        headers: { accept: "text/html,*/*", "accept-encoding": "gzip", ...headers },
      }),
    );
    const body = Buffer.from(await response.arrayBuffer());
    const report = Object.fromEntries(response.headers);
    return {
      status: response.status,
      headers: { ...report, "set-cookie": response.headers.getSetCookie() },
      bytes: body.length,
      text: await unpacked(body, report["content-encoding"]),
    };
  };
}

const UNPACK: Record<string, (body: InputType, limit: object) => Promise<Buffer>> = {
  gzip: promisify(gunzip),
  br: promisify(brotliDecompress),
};

async function unpacked(body: Buffer, encoding: string | undefined): Promise<string> {
  const unpack = UNPACK[encoding ?? ""];
  const unpacked = unpack ? await unpack(body, { maxOutputLength: MOST_BYTES * 4 }) : body;
  return unpacked.toString("utf8");
}

export const isHtml = ({ headers }: Answer) => /^text\/html\b/i.test(headers["content-type"] ?? "");
