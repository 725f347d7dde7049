/** Files that are on their way at the same time: a browser asks no more of one server. */
const AT_ONCE = 6;

interface Options {
  /** Told of each that is done with. @param done how many are */
  onFile?: ((done: number) => void) | undefined;
  /** No other is begun once it says so; those under way are done first, and it is no failure. */
  signal?: AbortSignal | undefined;
}

/**
 * Does it with all files, some at a time and in their order. Where one fails no other is begun, and those under way have
 * ended before this rejects with the first that failed.
 * @returns those that were not begun
 */
export async function filesAtOnce<T>(
  files: readonly T[],
  act: (file: T) => Promise<void>,
  { onFile, signal }: Options,
): Promise<readonly T[]> {
  let next = 0;
  let done = 0;
  let failure: { error: unknown } | undefined;
  const work = async () => {
    while (next < files.length && !failure && signal?.aborted !== true)
      try {
        await act(files[next++]!);
        onFile?.(++done);
      } catch (error) {
        failure ??= { error };
      }
  };
  await Promise.all(Array.from({ length: AT_ONCE }, work));
  if (failure) throw failure.error;
  return files.slice(next);
}
