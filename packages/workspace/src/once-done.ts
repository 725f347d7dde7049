/**
 * Wraps an action that has to be done once: callers share an attempt that is under way and its success, and the first call
 * after a failure tries again.
 */
export function onceDone(act: () => Promise<void>): () => Promise<void> {
  let attempt: Promise<void> | undefined;
  return () => {
    attempt ??= act().catch((error: unknown) => {
      attempt = undefined;
      throw error;
    });
    return attempt;
  };
}
