/** Processes the items, at most `at` at the same time. After a failure it starts no more and rejects. */
export async function inParallel<Item>(
  items: readonly Item[],
  at: number,
  work: (item: Item) => Promise<void>,
): Promise<void> {
  let next = 0;
  let failed = false;
  const go = async () => {
    while (next < items.length && !failed) {
      const item = items[next++]!;
      try {
        await work(item);
      } catch (error) {
        failed = true;
        throw error;
      }
    }
  };
  await Promise.all(Array.from({ length: Math.min(at, items.length) }, go));
}
