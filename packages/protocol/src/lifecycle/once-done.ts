/**
 * Wraps an action that has to be done once: callers share an attempt that is under way and the result of a success, and the
 * first call after a failure tries again. A promise that is only remembered (`x ??= act()`) would fail for ever.
 */
export function onceDone<T>(act: () => Promise<T>): () => Promise<T> {
  let attempt: Promise<T> | undefined;
  return () => {
    attempt ??= act().catch((error: unknown) => {
      attempt = undefined;
      throw error;
    });
    return attempt;
  };
}
