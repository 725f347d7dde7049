/**
 * The body of an answer whose bytes are read as fast as the client takes them.
 * @param close ends a reading that was not begun, which does not end itself
 */
export function streamBody(
  pieces: AsyncIterable<Uint8Array>,
  close: () => Promise<void>,
): ReadableStream<Uint8Array> {
  const all = pieces[Symbol.asyncIterator]();
  return new ReadableStream<Uint8Array>(
    {
      async pull(controller) {
        const { done, value } = await all.next();
        if (done) controller.close();
        else controller.enqueue(value);
      },
      async cancel() {
        await all.return?.();
        await close();
      },
    },
    { highWaterMark: 0 },
  );
}
