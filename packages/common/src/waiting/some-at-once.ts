/** Files that are read or written at the same time: each waits for the sandbox and its disk, and they wait together. */
export const FILES_AT_ONCE = 16;

/**
 * Does it with all, so many at a time and in their order. Where one fails no other is begun, and those under way have ended
 * before this rejects with the first that failed: p-map would reject while they still write.
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
