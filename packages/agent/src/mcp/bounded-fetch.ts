import { MESSAGE_BYTES } from "./limits.ts";

/**
 * `fetch` whose answers are bounded: a plain one as a whole, a stream of events from one event to the next. What is
 * longer breaks off with an error.
 */
export function boundedFetch(fetchFn: typeof fetch = fetch): typeof fetch {
  return async (input, init) => {
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
            size = byte === 10 && last === 10 ? 0 : size + 1;
            if (byte !== 13) last = byte;
          }
          if (!events) size += bytes.length;
          if (size > MESSAGE_BYTES) controller.error(new Error("The answer is too large."));
          else controller.enqueue(bytes);
        },
      }),
    );
    const { status, statusText, headers } = response;
    return new Response(bounded, { status, statusText, headers });
  };
}
