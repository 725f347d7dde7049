import { request, type IncomingMessage } from "node:http";
import type { Duplex } from "node:stream";
import { ANSWER_HEAD_BYTES, overTls, speaksTls } from "@treadle/common";
import { type Workspace } from "@treadle/workspace";

/** Bytes of an answer that are read; they are enough to judge it. */
const BODY_LIMIT = 64_000;
/** A dev server that optimises dependencies or compiles a large app answers its first request late. */
const ANSWER_MS = 45_000;
/** Milliseconds after the last chunk at which an answer that stays open, such as server-sent events, is taken as it is. */
const PIECE_MS = 1_500;

export interface PageResponse {
  status: number;
  contentType: string;
  /** The target of a redirect. */
  location?: string;
  /** The server requires HTTP authentication, so the content for a signed-in visitor is not seen. */
  asksWho?: true;
  /** The cookies that were set, as the `Cookie` header of a later request. */
  cookies: string[];
  body: string;
  /** Milliseconds until the response headers arrived. */
  ms: number;
}

/** Thrown if no answer arrives in time. */
export class NoAnswerError extends Error {
  override readonly name = "NoAnswerError";
}

/** Options for requesting one address. */
export interface Ask {
  /** Milliseconds within which the response headers must arrive; 45,000 by default. */
  ms?: number;
  cookies?: readonly string[];
}

/**
 * Requests one address of the running app over the sandbox's own loopback interface.
 * Rejects with `NoAnswerError` after the timeout, with the signal's reason when aborted, and with the connection's error.
 */
export async function getPage(
  workspace: Workspace,
  port: number,
  path: string,
  signal: AbortSignal,
  how: Ask = {},
): Promise<PageResponse> {
  const open = () => workspace.connect(port);
  try {
    return await askOver(await open(), port, path, signal, how);
  } catch (error) {
    // A server that does not answer plain HTTP may speak HTTPS with a self-signed certificate.
    const broke = (error as NodeJS.ErrnoException).code !== undefined;
    if (signal.aborted || !broke || !(await speaksTls(open))) throw error;
    return askOver(overTls(await open()), port, path, signal, how);
  }
}

async function askOver(
  socket: Duplex,
  port: number,
  path: string,
  signal: AbortSignal,
  { ms = ANSWER_MS, cookies = [] }: Ask,
): Promise<PageResponse> {
  const limit = AbortSignal.any([signal, AbortSignal.timeout(ms)]);
  const since = performance.now();
  try {
    return await new Promise<PageResponse>((resolve, reject) => {
      socket.on("error", reject);
      const asked = request(
        {
          path,
          method: "GET",
          headers: {
            host: `localhost:${port}`,
            accept: "text/html,application/json;q=0.9,*/*;q=0.8",
            connection: "close",
            ...(cookies.length > 0 ? { cookie: cookies.join("; ") } : {}),
          },
          createConnection: () => socket,
          maxHeaderSize: ANSWER_HEAD_BYTES,
          signal: limit,
        },
        (response) => {
          const ms = Math.round(performance.now() - since);
          readResponse(response).then((read) => resolve({ ...read, ms }), reject);
        },
      );
      asked.on("error", reject);
      asked.end();
    });
  } catch (error) {
    signal.throwIfAborted();
    if (limit.aborted)
      throw new NoAnswerError(`it did not answer within ${ms / 1000} s`, { cause: error });
    throw error;
  } finally {
    socket.destroy();
  }
}

function readResponse(response: IncomingMessage): Promise<Omit<PageResponse, "ms">> {
  const pieces: Buffer[] = [];
  let size = 0;
  const { statusCode, headers } = response;
  return new Promise((resolve, reject) => {
    let late: NodeJS.Timeout | undefined;
    const finish = () => {
      clearTimeout(late);
      resolve({
        status: statusCode ?? 0,
        contentType: headers["content-type"] ?? "",
        location: headers.location,
        asksWho: (statusCode === 401 && headers["www-authenticate"] !== undefined) || undefined,
        cookies: (headers["set-cookie"] ?? []).map((line) => line.split(";", 1)[0]!),
        body: Buffer.concat(pieces).subarray(0, BODY_LIMIT).toString("utf8"),
      });
    };
    const wait = () => {
      clearTimeout(late);
      late = setTimeout(finish, PIECE_MS);
    };
    response.on("data", (piece: Buffer) => {
      pieces.push(piece);
      size += piece.length;
      if (size >= BODY_LIMIT) finish();
      else wait();
    });
    response.on("end", finish);
    // The connection broke after the headers, so the body read so far is the answer.
    response.on("error", (error) => (size > 0 ? finish() : reject(error)));
    wait();
  });
}
