/** Places that only one group holds at a time. */
export interface GroupSemaphore {
  /** Resolves with what gives the place back, once there is one; rejects with the signal's reason. */
  take(group: string, signal?: AbortSignal): Promise<() => void>;
}

/**
 * Lets so many of one group through at once, and never two groups together. Who waits is served in the order of coming: a
 * group that holds places does not keep another one waiting by asking again and again.
 */
export function createGroupSemaphore(places: number): GroupSemaphore {
  let holder: string | undefined;
  let taken = 0;
  const waiting: { group: string; go: () => void }[] = [];

  function admit(): void {
    for (let next = waiting[0]; next; next = waiting[0]) {
      if (taken > 0 && (taken === places || next.group !== holder)) return;
      waiting.shift();
      holder = next.group;
      taken++;
      next.go();
    }
  }

  return {
    async take(group, signal) {
      signal?.throwIfAborted();
      await new Promise<void>((resolve, reject) => {
        const aborted = () => {
          waiting.splice(waiting.indexOf(entry), 1);
          reject(signal?.reason as Error);
          // The one behind it may have waited for nothing else.
          admit();
        };
        const entry = {
          group,
          go: () => {
            signal?.removeEventListener("abort", aborted);
            resolve();
          },
        };
        waiting.push(entry);
        signal?.addEventListener("abort", aborted, { once: true });
        admit();
      });
      let given = false;
      return () => {
        if (given) return;
        given = true;
        taken--;
        admit();
      };
    },
  };
}
