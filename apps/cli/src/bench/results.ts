import { appendFileSync, existsSync, readFileSync } from "node:fs";
import type { Verdict } from "@treadle/protocol";

/** The result of one task, a line of `results.jsonl`. */
export interface TaskResult {
  id: string;
  instruction: string;
  /** The outcome of the run that built it; `error` if no run finished. */
  outcome: string;
  verdict: Verdict | null;
  summary: string;
  /** Whether its package.json has a script for `npm run dev` or `npm start`. */
  starts: boolean;
  /**
   * The result of checking a clean copy of the folder: without its dependencies, and with the
   * task's own checks.
   */
  handedOver: { verdict: Verdict; reason: string } | null;
  /** The task's own checks, which the model did not see; null if it has none. */
  checks: { held: number; all: number } | null;
  /** Path of a screenshot of its page, beside the report; null if there is none. */
  picture: string | null;
  steps: number;
  tokens: number;
  /** In US dollars; null if the model's price is unknown. */
  costUsd: number | null;
  ms: number;
  /** The size of the project's own files in bytes; null if unknown. */
  bytes: number | null;
}

/** The results of earlier commands. A line that a crash cut short counts as a task that was not finished. */
export function readResults<Result extends { id: string }>(file: string): Result[] {
  if (!existsSync(file)) return [];
  const results = new Map<string, Result>();
  for (const line of readFileSync(file, "utf8").split("\n"))
    try {
      const result = JSON.parse(line) as Result;
      if (typeof result.id === "string") results.set(result.id, result);
    } catch {
      continue;
    }
  return [...results.values()];
}

/**
 * Appends a result durably. Begins with a line break, since the previous line may have been cut.
 */
export function appendResult(file: string, result: object): void {
  appendFileSync(file, `\n${JSON.stringify(result)}\n`, { flush: true });
}
