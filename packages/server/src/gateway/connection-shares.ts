/**
 * What one preview may have open at a time. A browser has some 250 connections and as many sockets for all of its pages: a
 * preview that took them all would leave none to the workbench.
 */
export const OPEN_AT_ONCE = { requests: 128, sockets: 64 };

/** So many of something at a time for each key. Gives what gives it back; undefined where all are taken. */
export function createShares(most: number): (key: string) => (() => void) | undefined {
  const taken = new Map<string, number>();
  return (key) => {
    const count = taken.get(key) ?? 0;
    if (count >= most) return undefined;
    taken.set(key, count + 1);
    let given = true;
    return () => {
      if (!given) return;
      given = false;
      const left = taken.get(key)! - 1;
      if (left > 0) taken.set(key, left);
      else taken.delete(key);
    };
  };
}
