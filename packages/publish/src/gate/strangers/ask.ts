import { request as send, type IncomingMessage } from "node:http";
import type { Duplex } from "node:stream";
import { brotliDecompress, gunzip, type InputType } from "node:zlib";
import { promisify } from "node:util";
import { ANSWER_HEAD_BYTES } from "@treadle/common";

/** A request has so long for its answer, in milliseconds. */
const ANSWER_MS = 5_000;
/** Bytes of an answer that are read, and of what they unpack to. */
const MOST_BYTES = 8 * 1024 * 1024;
/** What goes on without end has so long to begin. */
const STREAM_MS = 500;

/** What a release answered to somebody whom it does not know. */
export interface Answer {
  status: number;
  headers: IncomingMessage["headers"];
  /** As it came over the line, as far as it was read. */
  bytes: number;
  /** Unpacked. */
  text: string;
}

/** Asks a release by GET, as a browser that was never there; undefined where it does not begin to answer in time, or breaks off. */
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
                // A piece of what is packed cannot be unpacked.
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
            // What has begun and takes longer than anybody waits here is an answer all the same.
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

/** Asks what answers in this process. */
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
