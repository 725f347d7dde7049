/** Number of files read or written concurrently, since each waits for the sandbox and its disk. */
export const FILES_AT_ONCE = 16;

/**
 * Processes all items in order with limited concurrency. After a failure it starts no other, and rejects with the first
 * error once the items in progress have ended. (p-map would reject while they still run.).
 */
export async function someAtOnce<T>(
  all: Iterable<T>,
  atOnce: number,
  act: (one: T) => Promise<void>,
): Promise<void> {
  const left = all[Symbol.iterator]();
  let failure: { error: unknown } | undefined;
  const work = async () => {
    for (let next = left.next(); !next.done && !failure; next = left.next())
      try {
        await act(next.value);
      } catch (error) {
        failure ??= { error };
      }
  };
  await Promise.all(Array.from({ length: atOnce }, work));
  if (failure) throw failure.error;
}
