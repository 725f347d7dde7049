/** Runs at most `limit` functions at once; others wait in the order of their calls. */
export function createSlots(limit: number): <T>(act: () => Promise<T>) => Promise<T> {
  let busy = 0;
  const waiting: (() => void)[] = [];
  return async (act) => {
    if (busy === limit) await new Promise<void>((resolve) => waiting.push(resolve));
    else busy++;
    try {
      return await act();
    } finally {
      const next = waiting.shift();
      if (next) next();
      else busy--;
    }
  };
}
