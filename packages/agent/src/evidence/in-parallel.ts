/**
 * Does what is in the line, so much of it at once, and what is added to it meanwhile. Where something rejects, nothing else
 * is begun, and this rejects with the first reason once all that goes on has ended.
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
