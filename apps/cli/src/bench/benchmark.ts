import { mkdirSync } from "node:fs";
import { join, resolve } from "node:path";
import { removeTree } from "@treadle/workspace/remove-tree";
import { ensureSandbox } from "../folders/ensure-sandbox.ts";
import { EXIT } from "../terminal/exit-status.ts";
import { plain } from "../terminal/plain.ts";
import type { Task } from "./read-tasks.ts";
import { appendResult, readResults } from "./results.ts";
import { tasksOf } from "./tasks-of.ts";
import type { BuildCommand } from "./webgen.ts";
import { workThrough } from "./work-through.ts";

const STOPPED = 130;

/** The parts in which benchmarks differ: carrying out a task, and reporting its result. */
export interface Benchmark<Result extends { id: string; outcome: string }> {
  notice(text: string): void;
  /** Temporary folder, emptied before and after. Two commands must not share it. */
  scratch: string;
  /** Removes what a killed command left elsewhere, while its folders in `scratch` still exist. */
  sweep?(): Promise<void>;
  /** Carries out a task. @returns undefined if it was stopped */
  carryOut(task: Task, signal: AbortSignal): Promise<Result | undefined>;
  /** The result of a task that could not be carried out. */
  failed(task: Task, error: unknown): Result;
  /** Writes the report of finished tasks, in the order of the tasks. */
  report(results: Result[], tasks: readonly Task[]): Promise<void>;
  lineOf(result: Result): string;
}

/**
 * Carries out the unfinished tasks of a file, and appends each result to `results.jsonl`.
 * @returns the exit status
 */
export async function benchmark<Result extends { id: string; outcome: string }>(
  command: BuildCommand,
  { notice, scratch, sweep, carryOut, failed, report, lineOf }: Benchmark<Result>,
): Promise<number> {
  const tasks = tasksOf(command.tasks);
  if ("wrong" in tasks) {
    notice(`${tasks.wrong} Nothing was started.`);
    return EXIT.usage;
  }
  const unknown = command.only?.find((only) => !tasks.some(({ id }) => id === only));
  if (unknown !== undefined) {
    notice(`${command.tasks} has no task “${unknown}”. Nothing was started.`);
    return EXIT.usage;
  }
  if (!command.unsafe && !(await ensureSandbox(notice))) return EXIT.usage;
  await sweep?.();
  await removeTree(scratch);
  mkdirSync(scratch, { recursive: true });
  const file = join(resolve(command.out), "results.jsonl");
  const chosenTasks = tasks
    .filter(({ id }) => !command.only || command.only.includes(id))
    .slice(0, command.limit);
  const results = new Map(readResults<Result>(file).map((result) => [result.id, result]));
  const finished = new Set(chosenTasks.map(({ id }) => id).filter((id) => results.has(id)));
  if (finished.size > 0)
    notice(`${finished.size} of ${chosenTasks.length} tasks are already finished.`);

  const stopping = new AbortController();
  const stop = () => stopping.abort();
  process.once("SIGINT", stop).once("SIGTERM", stop);
  const { signal } = stopping;
  const writeReport = () =>
    report(
      chosenTasks.flatMap(({ id }) => results.get(id) ?? []),
      chosenTasks,
    );
  try {
    await writeReport();
    await workThrough(chosenTasks, {
      parallel: command.parallel,
      finished,
      carryOut,
      failed,
      async onResult(result) {
        appendResult(file, result);
        results.set(result.id, result);
        process.stdout.write(`${plain(lineOf(result))}\n`);
        await writeReport();
      },
      signal,
    });
  } finally {
    process.off("SIGINT", stop).off("SIGTERM", stop);
    await removeTree(scratch);
  }
  notice(`The report is in ${join(resolve(command.out), "report.html")}.`);
  if (signal.aborted) {
    notice("Stopped. The same command goes on with what is left.");
    return STOPPED;
  }
  return chosenTasks.every(({ id }) => results.get(id)?.outcome !== "error") ? 0 : 1;
}
