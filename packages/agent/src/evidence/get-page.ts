import { request, type IncomingMessage } from "node:http";
import type { Workspace } from "@treadle/workspace";

/** What an answer is judged by lies in its first bytes. */
const BODY_LIMIT = 64_000;
/** A dev server that optimises dependencies answers its first request late. */
const ANSWER_MS = 20_000;

export interface Answer {
  status: number;
  contentType: string;
  /** Where it points, for a redirect. */
  location?: string;
  body: string;
}

/**
 * Asks the running app for one address, from inside the sandbox's own loopback.
 * Rejects when nothing answers in time, or when `signal` is aborted.
 */
export async function getPage(
  workspace: Workspace,
  port: number,
  path: string,
  signal: AbortSignal,
): Promise<Answer> {
  const socket = await workspace.connect(port);
  const limit = AbortSignal.any([signal, AbortSignal.timeout(ANSWER_MS)]);
  try {
    return await new Promise<Answer>((resolve, reject) => {
      socket.on("error", reject);
      const asked = request(
        {
          path,
          method: "GET",
          headers: {
            host: `localhost:${port}`,
            accept: "text/html,application/json;q=0.9,*/*;q=0.8",
            connection: "close",
          },
          createConnection: () => socket as never,
          signal: limit,
        },
        (response) => {
          readAnswer(response).then(resolve, reject);
        },
      );
      asked.on("error", reject);
      asked.end();
    });
  } catch (error) {
    signal.throwIfAborted();
    if (limit.aborted)
      throw new Error(`it did not answer within ${ANSWER_MS / 1000} s`, { cause: error });
    throw error;
  } finally {
    socket.destroy();
  }
}

async function readAnswer(response: IncomingMessage): Promise<Answer> {
  const pieces: Buffer[] = [];
  let size = 0;
  for await (const piece of response as AsyncIterable<Buffer>) {
    pieces.push(piece);
    size += piece.length;
    if (size >= BODY_LIMIT) break;
  }
  return {
    status: response.statusCode ?? 0,
    contentType: response.headers["content-type"] ?? "",
    ...(response.headers.location === undefined ? {} : { location: response.headers.location }),
    body: Buffer.concat(pieces).subarray(0, BODY_LIMIT).toString("utf8"),
  };
}
