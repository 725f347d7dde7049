import { request as plainRequest, type IncomingMessage, type ServerResponse } from "node:http";
import type { Duplex } from "node:stream";
import { ANSWER_HEAD_BYTES } from "@treadle/common";

/** How a request is forwarded. */
export interface PlainWay {
  socket: Duplex;
  /** The request target as the next hop expects it: a proxy of this machine needs the absolute form. */
  path: string;
  /** The login for a proxy of this machine. */
  login?: string;
}

/** Forwards a plain request and its response. Rejects if there is no response. */
export function passPlain(
  url: URL,
  request: IncomingMessage,
  response: ServerResponse,
  { socket, path, login }: PlainWay,
): Promise<void> {
  response.on("close", () => socket.destroy());
  return new Promise<void>((done, fail) => {
    const upstream = plainRequest({
      createConnection: () => socket,
      maxHeaderSize: ANSWER_HEAD_BYTES,
      method: request.method,
      path,
      headers: {
        ...passedHeaders(request),
        host: url.host,
        connection: "close",
        ...(login && { "proxy-authorization": login }),
      },
    });
    // A socket of a tunnel is paused until it is read.
    upstream.on("socket", (used) => void used.resume());
    upstream.on("response", (found) => {
      const { connection: _ends, "keep-alive": _too, ...forwarded } = found.headers;
      response.writeHead(found.statusCode ?? 502, forwarded);
      found.pipe(response);
      found.on("end", done).on("error", fail);
    });
    upstream.on("error", fail);
    request.pipe(upstream);
  });
}

/** Hop-by-hop headers, which are not forwarded. */
const OF_CONNECTION = new Set([
  "connection",
  "proxy-connection",
  "proxy-authorization",
  "keep-alive",
  "te",
  "upgrade",
]);
/** Headers that `Connection` cannot remove: without them a body would be read as another request, to any host. */
const OF_MESSAGE = new Set(["content-length", "transfer-encoding", "host"]);

function passedHeaders({ headers }: IncomingMessage): Record<string, string | string[]> {
  const names = (headers.connection ?? "").split(",").map((name) => name.trim().toLowerCase());
  const named = new Set(names.filter((name) => !OF_MESSAGE.has(name)));
  const passed: Record<string, string | string[]> = {};
  for (const [name, value] of Object.entries(headers))
    if (value !== undefined && !OF_CONNECTION.has(name) && !named.has(name)) passed[name] = value;
  return passed;
}
