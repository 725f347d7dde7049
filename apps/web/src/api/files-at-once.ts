/** Concurrent requests; browsers allow no more per server. */
const MAX_CONCURRENT_FILES = 6;

interface Options {
  /** Called after each file. @param done number of files completed so far */
  onFile?: ((done: number) => void) | undefined;
  /** Stops starting further files; files in progress are completed, and the call still resolves. */
  signal?: AbortSignal | undefined;
}

/**
 * Processes all files in order, a few at a time. After a failure it starts no further files, waits for those in progress,
 * and rejects with the first error.
 * @returns the files that were not started
 */
export async function filesAtOnce<T>(
  files: readonly T[],
  act: (file: T) => Promise<void>,
  { onFile, signal }: Options,
): Promise<readonly T[]> {
  let next = 0;
  let completed = 0;
  let failure: { error: unknown } | undefined;
  const work = async () => {
    while (next < files.length && !failure && signal?.aborted !== true)
      try {
        await act(files[next++]!);
        onFile?.(++completed);
      } catch (error) {
        failure ??= { error };
      }
  };
  await Promise.all(Array.from({ length: MAX_CONCURRENT_FILES }, work));
  if (failure) throw failure.error;
  return files.slice(next);
}
