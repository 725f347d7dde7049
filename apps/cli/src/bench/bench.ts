import { mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { join, resolve } from "node:path";
import { removeTree } from "@treadle/workspace/remove-tree";
import type { Command } from "../arguments/read-arguments.ts";
import { ensureSandbox } from "../ensure-sandbox.ts";
import { EXIT } from "../exit-status.ts";
import { duration, money } from "../figures.ts";
import { VERDICT } from "../narrate.ts";
import { plain } from "../plain.ts";
import { readTasks, type Task } from "./read-tasks.ts";
import { reportPage } from "./report-page.ts";
import { keepResult, readResults, type TaskResult } from "./results.ts";
import { handOver, runTask } from "./run-task.ts";

/** Beside the tasks' folders: what is being worked on, and what looks at them have shown. */
const WORK = ".treadle-bench";
const STOPPED = 130;

/** `treadle bench webgen`: builds every task of a benchmark, and says how each came out. */
export async function bench(command: Extract<Command, { kind: "bench" }>): Promise<number> {
  const notice = (text: string) => process.stderr.write(`${plain(text)}\n`);
  const tasks = tasksOf(command.tasks);
  if ("wrong" in tasks) {
    notice(`${tasks.wrong} Nothing was started.`);
    return EXIT.usage;
  }
  if (!command.unsafe && !(await ensureSandbox(notice))) return EXIT.usage;
  const out = resolve(command.out);
  // What a broken-off command has left; two commands in one folder would take it from each other.
  await removeTree(join(out, WORK, "now"));
  mkdirSync(join(out, WORK, "now"), { recursive: true });

  const file = join(out, "results.jsonl");
  const wanted = tasks.slice(0, command.limit);
  const results = new Map(readResults(file).map((result) => [result.id, result]));
  const open = wanted.filter(({ id }) => !results.has(id));
  if (open.length < wanted.length)
    notice(`${wanted.length - open.length} of ${wanted.length} tasks are already finished.`);

  const stopping = new AbortController();
  const stop = () => stopping.abort();
  process.once("SIGINT", stop).once("SIGTERM", stop);
  const { signal } = stopping;
  const writeReport = () => {
    const done = wanted.flatMap(({ id }) => results.get(id) ?? []);
    const page = reportPage(done, { of: wanted.length, model: command.model ?? "as set up" });
    writeFileSync(join(out, "report.html"), page);
  };
  const left = open.values();
  const work = async () => {
    for (const task of left) {
      if (signal.aborted) return;
      const result = await carryOut(task, command, out, signal);
      if (!result) return;
      keepResult(file, result);
      results.set(task.id, result);
      writeReport();
      process.stdout.write(`${plain(lineOf(result))}\n`);
    }
  };
  try {
    writeReport();
    // One iterator for all: each takes the task that is next.
    await Promise.all(Array.from({ length: Math.min(command.parallel, open.length) }, work));
  } finally {
    process.off("SIGINT", stop).off("SIGTERM", stop);
    await removeTree(join(out, WORK, "now"));
  }
  notice(`The report is in ${join(out, "report.html")}.`);
  if (signal.aborted) {
    notice("Stopped. The same command goes on with what is left.");
    return STOPPED;
  }
  return wanted.every(({ id }) => results.get(id)?.outcome !== "error") ? 0 : 1;
}

/** @returns undefined where it was stopped: the task counts as not begun */
async function carryOut(
  task: Task,
  command: Extract<Command, { kind: "bench" }>,
  out: string,
  signal: AbortSignal,
): Promise<TaskResult | undefined> {
  const { id } = task;
  const places = {
    work: join(out, WORK, "now", id),
    // Below a name that no task has.
    copy: join(out, WORK, "now", ".copies", id),
    finished: join(out, id),
    report: join(out, WORK, id),
  };
  const result = await runTask(task, command, places, signal);
  if (signal.aborted) return undefined;
  await handOver(places);
  return { ...result, picture: result.picture && `${WORK}/${id}/${result.picture}` };
}

function tasksOf(file: string): Task[] | { wrong: string } {
  try {
    const read = readTasks(readFileSync(file, "utf8"));
    return "wrong" in read ? { wrong: `${file} cannot be used. ${read.wrong}` } : read.tasks;
  } catch (error) {
    return { wrong: `${file} cannot be read: ${(error as Error).message}.` };
  }
}

function lineOf({ id, verdict, outcome, starts, checks, costUsd, ms, summary }: TaskResult) {
  const facts = [
    verdict ? VERDICT[verdict] : `No verdict (${outcome})`,
    ...(checks ? [`${checks.held} of ${checks.all} checks held`] : []),
    ...(starts ? [] : ["does not start with npm run dev"]),
    duration(ms),
    ...(costUsd === null ? [] : [money(costUsd)]),
  ];
  const why = outcome === "error" ? `\n  ${summary}` : "";
  return `${id}  ${facts.join(" · ")}${why}`;
}
