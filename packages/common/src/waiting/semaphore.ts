export interface Semaphore {
  /** Resolves with a function that releases the place; rejects with the signal's reason. */
  take(signal?: AbortSignal): Promise<() => void>;
  /** Runs a function while holding a place. Rejects as the function does. */
  hold<Result>(act: () => Promise<Result>): Promise<Result>;
}

/** Allows a number of concurrent holders; others wait in order of arrival. With one place it is a mutex. */
export function createSemaphore(places: number): Semaphore {
  let taken = 0;
  const waiting: (() => void)[] = [];

  async function take(signal?: AbortSignal): Promise<() => void> {
    signal?.throwIfAborted();
    if (taken < places) taken++;
    else
      await new Promise<void>((resolve, reject) => {
        const aborted = () => {
          waiting.splice(waiting.indexOf(go), 1);
          reject(signal?.reason as Error);
        };
        const go = () => {
          signal?.removeEventListener("abort", aborted);
          resolve();
        };
        waiting.push(go);
        signal?.addEventListener("abort", aborted, { once: true });
      });
    let given = false;
    return () => {
      if (given) return;
      given = true;
      // The place passes to the next in line and is never free in between.
      const next = waiting.shift();
      if (next) next();
      else taken--;
    };
  }

  return {
    take,
    async hold(act) {
      const give = await take();
      try {
        return await act();
      } finally {
        give();
      }
    },
  };
}
