/** Places that only one group may hold at a time. */
export interface GroupSemaphore {
  /** Resolves with a function that releases the place; rejects with the signal's reason. */
  take(group: string, signal?: AbortSignal): Promise<() => void>;
}

/**
 * Admits a number of holders of one group at once, and never two groups together. First come, first
 * served: a group that holds places cannot keep another one waiting by further requests.
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
          // The next one in line may only have been waiting because of this entry.
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
