import { Readable } from "node:stream";
import { localConnection } from "@treadle/client/local";

/** Options of a request. */
interface Asked {
  method?: "GET" | "POST";
  /** A text, or a stream that is sent while it is read. */
  body?: AsyncIterable<Uint8Array> | string;
  type?: string;
}

/**
 * Sends a request to the running server of a data folder.
 * @throws Error with the message of its refusal
 */
export async function askServer(
  data: string | undefined,
  path: string,
  { method = "GET", body, type = "application/json" }: Asked = {},
): Promise<Response> {
  const { url, token } = localConnection(data);
  // The body may fail on this side, for example at an unreadable file.
  let broken: Error | undefined;
  async function* read(pieces: AsyncIterable<Uint8Array>) {
    try {
      yield* pieces;
    } catch (error) {
      broken = error as Error;
      throw error;
    }
  }
  const response = await fetch(`${url.replace(/\/+$/, "")}${path}`, {
    method,
    headers: {
      authorization: `Bearer ${token}`,
      ...(body === undefined ? {} : { "content-type": type }),
    },
    ...(body === undefined
      ? {}
      : { body: typeof body === "string" ? body : sent(read(body)), duplex: "half" as const }),
  }).catch(() => {
    throw (
      broken ??
      new Error(`The Treadle server at ${url} does not answer. Start it with “treadle serve”.`)
    );
  });
  if (response.ok) return response;
  const answer = (await response.json().catch(() => undefined)) as
    | { error?: { message?: string } }
    | undefined;
  throw new Error(answer?.error?.message ?? `The server answered ${response.status}.`);
}

const sent = (body: AsyncIterable<Uint8Array>) =>
  Readable.toWeb(Readable.from(body)) as ReadableStream<Uint8Array>;
