/**
 * Wraps an action that has to be done once: callers share an attempt that is under way and the result of a success, and the
 * first call after a failure tries again. A promise that is only remembered (`x ??= act()`) would fail for ever.
 */
export function onceDone<T>(act: () => Promise<T>): () => Promise<T> {
  let attempt: Promise<T> | undefined;
  return () => {
    if (attempt) return attempt;
    // Remembered before it begins: what the action does first may call this function again.
    const { promise, resolve, reject } = Promise.withResolvers<T>();
    attempt = promise;
    const begun = (async () => act())();
    begun.then(resolve, (error: unknown) => {
      attempt = undefined;
      reject(error as Error);
    });
    return promise;
  };
}
