import { mkdir, readdir, rename, stat } from "node:fs/promises";
import { join } from "node:path";
import { readFileSync } from "node:fs";
import type { Evidence, Usage, Verdict } from "@treadle/protocol";
import { removeTree } from "@treadle/workspace/remove-tree";
import { isRecord, readMadeManifest } from "@treadle/common/made-file";
import { placeFile } from "../folders/place-file.ts";
import { copyMade } from "@treadle/common/copy-made";
import { ownCommand } from "./own-command.ts";
import type { Task } from "./read-tasks.ts";
import type { TaskResult } from "./results.ts";
import type { BuildCommand } from "./webgen.ts";

const prose = (name: string) => readFileSync(new URL(name, import.meta.url), "utf8").trim();

/** Folders that npm and builds recreate. */
const MADE = new Set(["node_modules", ".git"]);

/** The folders that one task works in. */
export interface TaskPlaces {
  /** The folder in which it is built; moved to `finished` afterwards. */
  work: string;
  /** A copy to check; removed afterwards. */
  copy: string;
  finished: string;
  /** Folder for the report of the check. */
  report: string;
}

/** The last output of `treadle run --json`. */
export interface RunResult {
  outcome: string;
  verdict: Verdict | null;
  summary: string;
  steps: number;
  usage: Usage;
}

/** Builds one task, and checks the resulting folder as its recipient would. */
export async function runTask(
  task: Task,
  command: BuildCommand,
  places: TaskPlaces,
  signal: AbortSignal,
): Promise<TaskResult> {
  const started = performance.now();
  const left = () => Math.max(1, command.timeoutMs - (performance.now() - started)) / 1000;
  const shared = [
    "--json",
    ...(command.data === undefined ? [] : ["--data", command.data]),
    ...(command.unsafe ? ["--unsafe-no-sandbox"] : []),
  ];
  const build = async (prompt: string) => {
    const words = ["run", "--dir", places.work, "--approve", "auto", "--timeout", `${left()}`];
    if (command.model !== undefined) words.push("--model", command.model);
    if (command.maxSteps !== undefined) words.push("--max-steps", `${command.maxSteps}`);
    if (command.maxCost !== undefined) words.push("--max-cost", `${command.maxCost}`);
    const { result, output } = await ownCommand([...words, ...shared, "--", prompt], signal);
    return { run: result as RunResult | undefined, said: output };
  };

  await mkdir(places.work, { recursive: true });
  const first = await build(`${task.instruction}\n\n${prose("./must-start.md")}`);
  const runs = [first.run];
  if (first.run?.outcome === "done" && !starts(places.work) && !signal.aborted)
    runs.push((await build(prose("./start-missing.md"))).run);
  const last = runs.findLast((run) => run !== undefined);

  const look = last && !signal.aborted ? await lookAt(task, places, shared, signal) : undefined;
  for (const made of MADE) await removeTree(join(places.work, made));
  const costs = runs.map((run) => run?.usage.costUsd);
  return {
    id: task.id,
    instruction: task.instruction,
    outcome: last?.outcome ?? "error",
    verdict: last?.verdict ?? null,
    summary: last?.summary ?? first.said,
    starts: starts(places.work),
    handedOver: look?.handedOver ?? null,
    checks: look?.checks ?? null,
    picture: look?.picture ?? null,
    steps: sum(runs.map((run) => run?.steps ?? 0)),
    tokens: sum(runs.map((run) => (run ? run.usage.inputTokens + run.usage.outputTokens : 0))),
    costUsd: costs.every((cost) => cost !== undefined) ? sum(costs) : null,
    ms: Math.round(performance.now() - started),
    bytes: (await sizeOf(places.work)) ?? null,
  };
}

/** Moves a finished task's folder to its final path. */
export async function handOver({ work, finished }: TaskPlaces): Promise<void> {
  await removeTree(finished);
  await rename(work, finished);
}

/** Checks a copy without dependencies, so that only files in the folder count. */
async function lookAt(task: Task, places: TaskPlaces, shared: string[], signal: AbortSignal) {
  const { work, copy, report } = places;
  await removeTree(copy);
  try {
    const refused = await copyMade(work, copy, MADE).then(
      () => undefined,
      (error: Error) => `it cannot be handed over: ${error.message}`,
    );
    if (refused !== undefined)
      return { handedOver: { verdict: "unverified" as const, reason: refused }, checks: null, picture: null }; // prettier-ignore
    if (task.checks !== undefined) {
      const problem = await placeFile(copy, { path: ".treadle/checks.md", content: task.checks });
      if (problem !== undefined) throw new Error(`The task's checks were not run: ${problem}`);
    }
    const words = ["check", copy, "--report", report, ...shared];
    const { result } = await ownCommand(words, signal);
    if (!result) return undefined;
    const { verdict, reason, evidence } = result as {
      verdict: Verdict;
      reason: string;
      evidence: Evidence;
    };
    const checks = evidence.checks ?? [];
    const held = checks.filter(({ state }) => state === "held").length;
    const pictures = await readdir(report).catch(() => []);
    return {
      handedOver: { verdict, reason },
      checks: task.checks === undefined ? null : { held, all: checks.length },
      picture: pictures.find((name) => name.startsWith("page-1.")) ?? null,
    };
  } finally {
    await removeTree(copy);
  }
}

function starts(folder: string): boolean {
  const scripts = readMadeManifest(folder)?.["scripts"];
  return isRecord(scripts) && typeof (scripts["dev"] ?? scripts["start"]) === "string";
}

/** The size of all files in a folder, in bytes; undefined if the folder cannot be read completely. */
async function sizeOf(folder: string): Promise<number | undefined> {
  const entries = await readdir(folder, { recursive: true, withFileTypes: true }).catch(
    () => undefined,
  );
  if (!entries) return undefined;
  const files = entries.filter((entry) => entry.isFile());
  const sizes = files.map((file) => stat(join(file.parentPath, file.name)));
  return sum((await Promise.all(sizes)).map(({ size }) => size));
}

const sum = (numbers: readonly number[]) => numbers.reduce((all, one) => all + one, 0);
