import { createGate } from "./gate.ts";
import { MESSAGE_BYTES, MESSAGES, REPLIES } from "./limits.ts";
import { tooLarge, tooMany } from "./pipe-transport.ts";

/**
 * `fetch` for one server, whose answers are bounded: a plain one as a whole, a stream of events from one event to the
 * next, and in their number. What is more breaks off with an McpError.
 */
export function boundedFetch(fetchFn: typeof fetch = fetch, now?: () => number): typeof fetch {
  const mayCome = createGate(MESSAGES, now);
  const mayReply = createGate(REPLIES, now);
  return async (input, init) => {
    // What it asks of us it may never take: each answer is a connection.
    if (isReply(init?.body) && !mayReply()) return new Response(null, { status: 202 });
    const response = await fetchFn(input, init);
    if (!response.body) return response;
    const events = response.headers.get("content-type")?.includes("text/event-stream") ?? false;
    let size = 0;
    let last = 0;
    const bounded = response.body.pipeThrough(
      new TransformStream<Uint8Array, Uint8Array>({
        transform(bytes, controller) {
          for (const byte of events ? bytes : []) {
            // Two line ends in a row are the end of an event.
            const ends = byte === 10 && last === 10;
            if (ends && size > 1 && !mayCome()) return controller.error(tooMany());
            if (size > MESSAGE_BYTES) return controller.error(tooLarge());
            size = ends ? 0 : size + 1;
            if (byte !== 13) last = byte;
          }
          if (!events) size += bytes.length;
          if (size > MESSAGE_BYTES) controller.error(tooLarge());
          else controller.enqueue(bytes);
        },
      }),
    );
    const { status, statusText, headers } = response;
    return new Response(bounded, { status, statusText, headers });
  };
}

/** An answer of ours to what the server asked: it has an id, and no method. */
function isReply(body: unknown): boolean {
  if (typeof body !== "string" || body.length > MESSAGE_BYTES || !body.startsWith('{"jsonrpc"'))
    return false;
  try {
    return !Object.hasOwn(JSON.parse(body) as object, "method");
  } catch {
    return false;
  }
}
