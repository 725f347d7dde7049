import { AnswerLimitError } from "../errors/model-failure.ts";
import { finishAtDone } from "./finish-at-done.ts";
import { lifeSign } from "./life-signs.ts";
import { ANSWER_BYTES, ERROR_BYTES, LINE_BYTES } from "./limits.ts";

type Fetch = typeof globalThis.fetch;

/** The text that replaces a secret. */
const MASK = "(key)";
/** Shorter secrets are not masked, since they may be part of any word. */
const SECRET_CHARS = 4;
/** Headers that describe the received body, not the one that is passed on. */
const OF_BODY = ["content-length", "content-encoding", "transfer-encoding"];

/**
 * `fetch` for a provider's library, with limits. An answer has at most `ANSWER_BYTES`, and a line of an event stream
 * `LINE_BYTES`; above that the body fails with an `AnswerLimitError`. A stream of Chat Completions that ends with
 * `[DONE]` gets a finish reason. An error's body is cut at `ERROR_BYTES`, and secrets in it are masked.
 * @param fetch default: the global one, at the time of the request
 */
export function providerFetch(fetch: Fetch | undefined, secrets: readonly string[]): Fetch {
  return async (input, init) => {
    const onBytes = lifeSign();
    const response = await (fetch ?? globalThis.fetch)(input, init);
    if (!response.body) return response;
    const headers = new Headers(response.headers);
    for (const name of OF_BODY) headers.delete(name);
    const { status, statusText } = response;
    const passOn = (body: string | ReadableStream<Bytes>) =>
      new Response(body, { status, statusText, headers });
    if (!response.ok) return passOn(withoutSecrets(await readStart(response.body), secrets));
    const isEvents = headers.get("content-type")?.includes("text/event-stream") === true;
    const limited = response.body.pipeThrough(limitAnswer(isEvents, onBytes));
    return passOn(isEvents ? limited.pipeThrough(finishAtDone()) : limited);
  };
}

type Bytes = Uint8Array<ArrayBuffer>;

/** @param hasLines whether the length of lines is limited, too @param onBytes called for each chunk */
function limitAnswer(hasLines: boolean, onBytes?: () => void): TransformStream<Bytes, Bytes> {
  let bytes = 0;
  let line = 0;
  return new TransformStream({
    transform(chunk, controller) {
      onBytes?.();
      bytes += chunk.length;
      if (bytes > ANSWER_BYTES) throw new AnswerLimitError(megabytes(ANSWER_BYTES), "megabytes");
      const end = hasLines ? chunk.lastIndexOf(LINE_FEED) : -1;
      const first = end === -1 ? chunk.length : chunk.indexOf(LINE_FEED);
      if (hasLines && line + first > LINE_BYTES)
        throw new AnswerLimitError(megabytes(LINE_BYTES), "piece");
      line = end === -1 ? line + chunk.length : chunk.length - end - 1;
      controller.enqueue(chunk);
    },
  });
}

const LINE_FEED = 10;
const megabytes = (bytes: number) => bytes / 1024 / 1024;

async function readStart(body: ReadableStream<Bytes>): Promise<string> {
  const chunks: Uint8Array[] = [];
  let bytes = 0;
  // Leaving the loop cancels the rest.
  for await (const chunk of body) {
    chunks.push(chunk);
    bytes += chunk.length;
    if (bytes >= ERROR_BYTES) break;
  }
  return Buffer.concat(chunks).subarray(0, ERROR_BYTES).toString("utf8");
}

function withoutSecrets(text: string, secrets: readonly string[]): string {
  return secrets
    .filter((secret) => secret.length >= SECRET_CHARS)
    .reduce((rest, secret) => rest.replaceAll(secret, MASK), text);
}
