/**
 * Reads a stream through a function that passes any number of parts to `put` for each part. The stream ends when the
 * function returns false. Costs a fraction of what a `TransformStream` does per part.
 */
export function readThrough<T>(
  source: ReadableStream<T>,
  take: (part: T, put: (part: T) => void) => boolean,
): ReadableStream<T> {
  const reader = source.getReader();
  return new ReadableStream<T>(
    {
      async pull(controller) {
        let hasPut = false;
        const put = (part: T) => {
          hasPut = true;
          controller.enqueue(part);
        };
        while (!hasPut) {
          const { done, value } = await reader.read();
          if (done) return controller.close();
          if (take(value, put)) continue;
          controller.close();
          return reader.cancel();
        }
      },
      cancel: (reason) => reader.cancel(reason),
    },
    { highWaterMark: 0 },
  );
}
