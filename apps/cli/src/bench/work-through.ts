/**
 * Carries out tasks, several at a time. Finished tasks are skipped, and a failed task does not stop the others.
 * @param options.parallel number of concurrent tasks
 * @param options.finished ids of the finished tasks
 * @param options.carryOut returns a task's result, or undefined if it was stopped, in which case it counts as not
 * started
 * @param options.failed makes the result of a task whose `carryOut` rejects
 * @param options.onResult receives each result before the next task starts
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
  // One shared iterator: each worker takes the next task.
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
