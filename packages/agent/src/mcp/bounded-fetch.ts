import { createTokenBucket } from "@treadle/common";
import { MESSAGE_BYTES, MESSAGES, REPLIES } from "./limits.ts";
import { createMessageMeasure } from "./message-measure.ts";
import { tooMany } from "./pipe-transport.ts";

/** In an event stream, CR, LF, or both together end a line. */
const LF = 10;
const CR = 13;

/**
 * `fetch` for one server, with limits to the size of its answers and to the number of its events. Limits apply to a
 * plain answer as a whole, and to each event of an event stream. Above a limit, the answer fails with an `McpError`.
 */
export function boundedFetch(fetchFn: typeof fetch = fetch, now?: () => number): typeof fetch {
  const messages = createTokenBucket({ ...MESSAGES, now });
  const replies = createTokenBucket({ ...REPLIES, now });
  return async (input, init) => {
    // The server may never read the answers to its own requests, and each of them is a connection.
    if (isReply(init?.body) && !replies.take()) return new Response(null, { status: 202 });
    const response = await fetchFn(input, init);
    if (!response.body) return response;
    const events = response.headers.get("content-type")?.includes("text/event-stream") ?? false;
    const measure = createMessageMeasure();
    let last = 0;
    /** Whether the previous byte ended a line. */
    let ended = false;
    const bounded = response.body.pipeThrough(
      new TransformStream<Uint8Array, Uint8Array>({
        transform(bytes, controller) {
          let from = 0;
          for (let at = 0; events && at < bytes.length; at++) {
            const byte = bytes[at]!;
            const isEnd = byte === LF || byte === CR;
            // Two line ends in a row are the end of an event; CR and LF together are one.
            if (isEnd && ended && !(byte === LF && last === CR)) {
              const tooMuch = measure.add(bytes.subarray(from, at));
              if (tooMuch ?? !messages.take()) return controller.error(tooMuch ?? tooMany());
              measure.reset();
              from = at + 1;
            }
            ended = isEnd;
            last = byte;
          }
          const tooMuch = measure.add(bytes.subarray(from));
          if (tooMuch) controller.error(tooMuch);
          else controller.enqueue(bytes);
        },
      }),
    );
    const { status, statusText, headers } = response;
    return new Response(bounded, { status, statusText, headers });
  };
}

/** Whether the body answers a request of the server: it has an id, and no method. */
function isReply(body: unknown): boolean {
  if (typeof body !== "string" || body.length > MESSAGE_BYTES || !body.startsWith('{"jsonrpc"'))
    return false;
  try {
    return !Object.hasOwn(JSON.parse(body) as object, "method");
  } catch {
    return false;
  }
}
