import { createWriteStream, readFileSync } from "node:fs";
import { mkdir, readdir } from "node:fs/promises";
import { finished } from "node:stream/promises";
import { join } from "node:path";
import type { Evidence, LogEntry } from "@treadle/protocol";
import type { Score } from "@treadle/fullstack-bench/types";
import { narrate } from "../../terminal/narrate.ts";
import { ownCommand } from "../own-command.ts";
import type { Task } from "../read-tasks.ts";
import type { RunResult } from "../run-task.ts";
import type { BuildCommand } from "../webgen.ts";
import type { FullstackResult } from "./result.ts";

const RULES = readFileSync(new URL("./rules.md", import.meta.url), "utf8").trim();

/**
 * Creates the prompt: the benchmark's rules, the same for every system, and the task's instruction.
 */
const wrapInstruction = (instruction: string): string => `${RULES} ${instruction}`;

/** The folders that one task works in, absolute. */
export interface TaskPlaces {
  /** The folder in which it is built. */
  work: string;
  /** The folder for the judges: the app and its files. */
  app: string;
  log: string;
  /**
   * A file with all tasks of the benchmark: the score needs the expected content of the database.
   */
  tasks: string;
  /** Folders of all tasks, in which `score` finds this one. */
  apps: string;
  logs: string;
}

interface ResultWithEvidence extends RunResult {
  evidence: Evidence | null;
}

/**
 * Builds one task, hands it over and scores it with three commands of this program, each in its own process.
 * @param command runs one of them; tests pass their own
 * @returns undefined if it was stopped, in which case the task counts as not started
 */
export async function carryOutTask(
  task: Task,
  build: BuildCommand,
  places: TaskPlaces,
  signal: AbortSignal,
  command: typeof ownCommand = ownCommand,
): Promise<FullstackResult | undefined> {
  const began = performance.now();
  const shared = [
    "--json",
    ...(build.data === undefined ? [] : ["--data", build.data]),
    ...(build.unsafe ? ["--unsafe-no-sandbox"] : []),
  ];
  await mkdir(places.work, { recursive: true });
  await mkdir(places.log, { recursive: true });
  const log = createWriteStream(join(places.log, "output.log"));
  const limits = [
    ["--model", build.model],
    ["--max-steps", build.maxSteps],
    ["--max-cost", build.maxCost],
    ["--timeout", build.timeoutMs / 1000],
  ].flatMap(([name, value]) => (value === undefined ? [] : [`${name}`, `${value}`]));
  const words = ["run", "--dir", places.work, "--approve", "auto", ...limits, ...shared];
  const prompt = wrapInstruction(task.instruction);
  const { result, output } = await command([...words, "--", prompt], signal, (line) =>
    log.write(logText(line)),
  );
  log.end(output === "" ? "" : `\n${output}\n`);
  await finished(log);
  if (signal.aborted) return undefined;
  const run = result as ResultWithEvidence | undefined;
  const ms = Math.round(performance.now() - began);

  const handed = await command(
    ["bench", "hand-over", places.work, "--out", places.app, "--logs", places.log, ...shared],
    signal,
  );
  if (signal.aborted) return undefined;
  const handedOver = handed.result as { databaseError?: string } | undefined;
  const { apps, logs, tasks } = places;
  const scoreWords = ["bench", "score", apps, "--logs", logs, "--tasks", tasks, "--only", task.id];
  const scored = handedOver ? await command([...scoreWords, ...shared], signal) : undefined;
  if (signal.aborted) return undefined;
  const score = scored?.result as ({ type: string; id: string } & Score) | undefined;
  const checks = run?.evidence?.checks;
  const databaseError = handedOver?.databaseError;
  return {
    id: task.id,
    instruction: task.instruction,
    outcome: run?.outcome ?? "error",
    verdict: run?.verdict ?? null,
    summary: run?.summary ?? output,
    checks: checks
      ? { held: checks.filter(({ state }) => state === "held").length, all: checks.length }
      : null,
    score: score ? { rules: score.rules, passes: score.passes, ms: score.ms } : null,
    scoreError: score ? undefined : (scored ?? handed).output,
    databaseError,
    pictures: await picturesIn(places.log),
    steps: run?.steps ?? 0,
    tokens: run ? run.usage.inputTokens + run.usage.outputTokens : 0,
    costUsd: run?.usage.costUsd ?? null,
    ms,
  };
}

async function picturesIn(folder: string): Promise<string[]> {
  const names = await readdir(folder).catch(() => []);
  return names.filter((name) => /\.(?:png|jpe?g)$/.test(name)).toSorted();
}

/** Formats a line of a run's events for people, as in a terminal. */
function logText(line: string): string {
  try {
    const { event } = JSON.parse(line) as Partial<LogEntry>;
    return event ? narrate(event) : "";
  } catch {
    return `${line}\n`;
  }
}
