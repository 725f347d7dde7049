import { writeFileSync } from "node:fs";
import { join, resolve } from "node:path";
import type { Command } from "../arguments/read-arguments.ts";
import { duration, money } from "../terminal/figures.ts";
import { VERDICT } from "../terminal/narrate.ts";
import { plain } from "../terminal/plain.ts";
import { sentence } from "../terminal/sentence.ts";
import { benchmark } from "./benchmark.ts";
import type { Task } from "./read-tasks.ts";
import { reportPage } from "./report-page.ts";
import type { TaskResult } from "./results.ts";
import { handOver, runTask } from "./run-task.ts";

/** Name of the temporary folder beside the tasks' folders, also for reports of checks. */
const WORK = ".treadle-bench";

/** A command that builds every task of a benchmark. */
export type BuildCommand = Extract<Command, { kind: "bench" }> & { of: "webgen" | "fullstack" };

/** `treadle bench webgen`: builds every task of a benchmark and reports the results. */
export async function webgen(command: BuildCommand): Promise<number> {
  const notice = (text: string) => process.stderr.write(`${plain(text)}\n`);
  const out = resolve(command.out);
  return benchmark<TaskResult>(command, {
    notice,
    scratch: join(out, WORK, "now"),
    carryOut: (task, signal) => carryOut(task, command, out, signal),
    failed: ({ id, instruction }, error) => ({
      id,
      instruction,
      outcome: "error",
      verdict: null,
      summary: sentence(error),
      starts: false,
      handedOver: null,
      checks: null,
      picture: null,
      steps: 0,
      tokens: 0,
      costUsd: null,
      ms: 0,
      bytes: null,
    }),
    report: async (results, tasks) => {
      const page = reportPage(results, {
        taskCount: tasks.length,
        model: command.model ?? "as set up",
      });
      writeFileSync(join(out, "report.html"), page);
    },
    lineOf,
  });
}

/** Builds and checks one task. @returns undefined if it was stopped: the task then counts as not started */
async function carryOut(
  task: Task,
  command: BuildCommand,
  out: string,
  signal: AbortSignal,
): Promise<TaskResult | undefined> {
  const { id } = task;
  const places = {
    work: join(out, WORK, "now", id),
    // In a folder whose name no task can have.
    copy: join(out, WORK, "now", ".copies", id),
    finished: join(out, id),
    report: join(out, WORK, id),
  };
  const result = await runTask(task, command, places, signal);
  if (signal.aborted) return undefined;
  await handOver(places);
  return { ...result, picture: result.picture && `${WORK}/${id}/${result.picture}` };
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
