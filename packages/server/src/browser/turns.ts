/** Lets so many through at once; the others wait in the order in which they came. */
export function createTurns(limit: number) {
  let taken = 0;
  const waiting: (() => void)[] = [];
  return {
    /** Resolves with what gives the place back; rejects with the signal's reason. */
    async take(signal: AbortSignal): Promise<() => void> {
      signal.throwIfAborted();
      if (taken < limit) taken++;
      else
        await new Promise<void>((resolve, reject) => {
          const aborted = () => {
            waiting.splice(waiting.indexOf(go), 1);
            reject(signal.reason as Error);
          };
          const go = () => {
            signal.removeEventListener("abort", aborted);
            resolve();
          };
          waiting.push(go);
          signal.addEventListener("abort", aborted, { once: true });
        });
      let given = false;
      return () => {
        if (given) return;
        given = true;
        // The place goes on to the next in line, and is never free meanwhile.
        const next = waiting.shift();
        if (next) next();
        else taken--;
      };
    },
  };
}
