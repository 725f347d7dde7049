/**
 * Carries tasks out, some at a time. What was finished before is not done again, and one that fails stops no other.
 * @param options.parallel tasks at once
 * @param options.finished ids of those that were finished before
 * @param options.carryOut gives what came of a task; undefined where it was stopped: it counts as not begun
 * @param options.failed gives the result of a task whose `carryOut` rejects
 * @param options.onResult is told of each result, before the next task begins
 */
export async function workThrough<Task extends { id: string }, Result>(
  tasks: readonly Task[],
  options: {
    parallel: number;
    finished: ReadonlySet<string>;
    carryOut(task: Task, signal: AbortSignal): Promise<Result | undefined>;
    failed(task: Task, error: unknown): Result;
    onResult(result: Result): void | Promise<void>;
    signal: AbortSignal;
  },
): Promise<void> {
  const { parallel, finished, carryOut, failed, onResult, signal } = options;
  const open = tasks.filter(({ id }) => !finished.has(id));
  // One iterator for all: each takes the task that is next.
  const left = open.values();
  const work = async () => {
    for (const task of left) {
      if (signal.aborted) return;
      const result = await carryOut(task, signal).catch((error: unknown) =>
        signal.aborted ? undefined : failed(task, error),
      );
      if (result === undefined) return;
      await onResult(result);
    }
  };
  await Promise.all(Array.from({ length: Math.min(parallel, open.length) }, work));
}
