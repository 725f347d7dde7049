/**
 * A response body that is read at the client's pace.
 * @param close ends a source whose reading never began
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
