import { existsSync, mkdirSync, readdirSync, statSync, writeFileSync } from "node:fs";
import { randomBytes } from "node:crypto";
import { dirname, join, relative, resolve } from "node:path";
import { removeTree } from "@treadle/workspace/remove-tree";
import { dataDirectory } from "../../folders/data-directory.ts";
import { EXIT } from "../../terminal/exit-status.ts";
import { duration, money } from "../../terminal/figures.ts";
import { VERDICT } from "../../terminal/narrate.ts";
import { stateOfFolder } from "../../folders/open-folder.ts";
import { plain } from "../../terminal/plain.ts";
import { sentence } from "../../terminal/sentence.ts";
import { benchmark } from "../benchmark.ts";
import type { BuildCommand } from "../webgen.ts";
import { agreementOf } from "./agreement.ts";
import { carryOutTask } from "./carry-out.ts";
import { readJudgements } from "./read-judgements.ts";
import { fullstackJson, fullstackPage } from "./report.ts";
import type { FullstackResult } from "./result.ts";

/** Name of the temporary folder beside the tasks' folders. */
const WORK = ".treadle-bench";

/**
 * `treadle bench fullstack`: builds every task of FullStack-Bench, and writes the files for its
 * judges.
 */
export async function fullstack(command: BuildCommand): Promise<number> {
  const notice = (text: string) => process.stderr.write(`${plain(text)}\n`);
  const out = resolve(command.out);
  const logs = resolve(command.logs ?? `${out}-logs`);
  const { results: judged } = command;
  if (judged !== undefined && !statSync(judged, { throwIfNoEntry: false })?.isDirectory()) {
    notice(`There is no folder ${judged} with the judges' results. Nothing was started.`);
    return EXIT.usage;
  }
  const scratch = join(out, WORK);
  /** Removes the conversation, checkpoints and database of a task's folder, after everything useful was handed over. */
  const forget = (work: string) =>
    removeTree(stateOfFolder(work, dataDirectory(command.data, process.env)));
  return benchmark<FullstackResult>(command, {
    notice,
    scratch,
    async sweep() {
      for (const left of foldersBelow(scratch)) await forget(left);
    },
    async carryOut(task, signal) {
      // A fresh folder: in an existing one Treadle would continue the earlier project.
      const work = join(scratch, randomBytes(6).toString("hex"), task.id);
      const tasks = resolve(command.tasks);
      const places = { work, app: join(out, task.id), log: join(logs, task.id), tasks, apps: out, logs }; // prettier-ignore
      try {
        return await carryOutTask(task, command, places, signal);
      } finally {
        await removeTree(dirname(work));
        await forget(work);
      }
    },
    failed: ({ id, instruction }, error) => ({
      id,
      instruction,
      outcome: "error",
      verdict: null,
      summary: sentence(error),
      checks: null,
      score: null,
      pictures: [],
      steps: 0,
      tokens: 0,
      costUsd: null,
      ms: 0,
    }),
    async report(results, tasks) {
      const ids = tasks.map(({ id }) => id);
      const judgements = judged === undefined ? undefined : readJudgements(resolve(judged), ids);
      const context = {
        taskCount: tasks.length,
        model: command.model ?? "as set up",
        judgements,
        agreement: judgements && agreementOf(results, judgements),
        logOf: (id: string) => relative(out, join(logs, id)),
      };
      mkdirSync(out, { recursive: true });
      writeFileSync(join(out, "report.html"), fullstackPage(results, context));
      writeFileSync(join(out, "report.json"), fullstackJson(results, context));
    },
    lineOf,
  });
}

/** Folders in which tasks were built by a killed command: two levels down. */
function foldersBelow(scratch: string): string[] {
  const below = (folder: string) =>
    readdirSync(folder, { withFileTypes: true })
      .filter((entry) => entry.isDirectory())
      .map(({ name }) => join(folder, name));
  return existsSync(scratch) ? below(scratch).flatMap(below) : [];
}

function lineOf(result: FullstackResult): string {
  const { id, verdict, outcome, checks, score, costUsd, ms, summary } = result;
  const failed = score?.rules.filter(({ state }) => state === "failed").map(({ code }) => code);
  const facts = [
    verdict ? VERDICT[verdict] : `No verdict (${outcome})`,
    ...(checks ? [`${checks.held} of ${checks.all} checks held`] : []),
    score?.passes
      ? "passes the judges' rules"
      : `does not pass the judges' rules${failed ? ` (${failed.join(", ")})` : ""}`,
    duration(ms),
    ...(costUsd === null ? [] : [money(costUsd)]),
  ];
  const why = outcome === "error" ? `\n  ${summary}` : "";
  return `${id}  ${facts.join(" · ")}${why}`;
}
