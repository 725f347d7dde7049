/**
 * Wraps an action that has to succeed once: callers share an attempt in progress and the result of
 * a success, and the first call after a failure tries again. A cached promise (`x ??= act()`) would
 * keep failing.
 */
export function onceDone<T>(act: () => Promise<T>): () => Promise<T> {
  let attempt: Promise<T> | undefined;
  return () => {
    if (attempt) return attempt;
    // Stored before the action starts, since it may call this function again.
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
