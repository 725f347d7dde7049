import { mkdtempSync, readdirSync, statSync } from "node:fs";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { removeTree } from "@treadle/workspace/remove-tree";
import type { Command } from "../arguments/read-arguments.ts";
import { dataDirectory } from "../folders/data-directory.ts";
import { ensureSandbox } from "../folders/ensure-sandbox.ts";
import { EXIT } from "../terminal/exit-status.ts";
import { jsonLine } from "../terminal/json-line.ts";
import { plain } from "../terminal/plain.ts";
import { RULE_NAMES, ruleWords } from "./score-words.ts";
import { tasksOf } from "./tasks-of.ts";

const MARK = { held: "✓", failed: "×", inapplicable: "–", untried: "?" } as const;
const STOPPED = 130;

export type ScoreCommand = Extract<Command, { kind: "bench" }> & { of: "score" };

/**
 * `treadle bench score`: applies the judges' rules to handed-over folders, as far as a program can.
 */
export async function score(command: ScoreCommand): Promise<number> {
  const notice = (text: string) => process.stderr.write(`${plain(text)}\n`);
  const root = resolve(command.folder);
  const tasks = command.tasks === undefined ? undefined : tasksOf(command.tasks);
  if (tasks && "wrong" in tasks) {
    notice(`${tasks.wrong} Nothing was started.`);
    return EXIT.usage;
  }
  const known = new Map(tasks?.map((task) => [task.id, task]));
  const ids = foldersIn(root).filter(
    (id) => (!tasks || known.has(id)) && (!command.only || command.only.includes(id)),
  );
  if (ids.length === 0) {
    notice(`There is no folder of a task in ${root}. Nothing was started.`);
    return EXIT.usage;
  }
  // Each app needs the judges' ports for itself, which requires a sandbox.
  if (command.unsafe) {
    notice("“bench score” runs generated code in a sandbox only. Nothing was started.");
    return EXIT.usage;
  }
  if (!(await ensureSandbox(notice))) return EXIT.usage;
  const stopping = new AbortController();
  const stop = () => stopping.abort();
  process.once("SIGINT", stop).once("SIGTERM", stop);
  const { signal } = stopping;
  const work = mkdtempSync(join(tmpdir(), "treadle-score-"));
  // Loaded on demand.
  const { createJudge } = await import("@treadle/fullstack-bench");
  const judge = await createJudge({
    dataDirectory: dataDirectory(command.data, process.env),
    env: process.env,
    onNotice: notice,
    work,
  });
  let passed = 0;
  try {
    for (const id of ids) {
      const log = command.logs === undefined ? undefined : join(resolve(command.logs), id);
      const structures = known.get(id)?.structures;
      const result = await judge.score({
        folder: join(root, id),
        ...(log !== undefined && { database: join(log, "db"), log }),
        structures,
        signal,
      });
      if (result.passes) passed++;
      if (command.json) process.stdout.write(jsonLine({ type: "result", id, ...result }));
      else {
        process.stdout.write(`${result.passes ? MARK.held : MARK.failed} ${id}\n`);
        for (const rule of result.rules) {
          const words = ruleWords(rule);
          process.stdout.write(
            `  ${MARK[rule.state]} ${RULE_NAMES[rule.code]}${words === "" ? "" : `: ${plain(words)}`}\n`,
          );
        }
      }
    }
  } catch (error) {
    if (!signal.aborted) throw error;
    notice("Stopped.");
    return STOPPED;
  } finally {
    process.off("SIGINT", stop).off("SIGTERM", stop);
    await judge.close();
    await removeTree(work);
  }
  return passed === ids.length ? 0 : 1;
}

function foldersIn(root: string): string[] {
  if (!statSync(root, { throwIfNoEntry: false })?.isDirectory()) return [];
  return readdirSync(root, { withFileTypes: true })
    .filter((entry) => entry.isDirectory() && !entry.name.startsWith("."))
    .map(({ name }) => name)
    .toSorted();
}
