/**
 * Processes the queue, including items added meanwhile, with a limited number at the same time. After a rejection no other item
 * is started, and the call rejects with the first reason once all running items have settled.
 */
export async function drain(line: (() => Promise<void>)[], atOnce: number): Promise<void> {
  const failures: unknown[] = [];
  await new Promise<void>((resolve) => {
    let going = 0;
    const next = () => {
      while (failures.length === 0 && going < atOnce) {
        const act = line.shift();
        if (!act) break;
        going++;
        act()
          .catch((error: unknown) => failures.push(error))
          .finally(() => {
            going--;
            next();
          });
      }
      if (going === 0) resolve();
    };
    next();
  });
  if (failures.length > 0) throw failures[0];
}
