import { readFileSync } from "node:fs";
import { join } from "node:path";
import type { Script } from "@treadle/scripted-model";
import { root } from "../support/treadle.ts";
import type { VerdictCase } from "../verdicts/case-types.ts";
import { scriptOf } from "../verdicts/cases.ts";
import { readWritten } from "../verdicts/read-written.ts";

const folder = join(root, "e2e/fullstack");
/** Tasks of FullStack-Bench's kinds, in our own words. */
export const TASKS_FILE = join(folder, "tasks.jsonl");

export interface RecordedTask {
  id: string;
  instruction: string;
  data_structures: string[];
}

export const readRecordedTasks = (): RecordedTask[] =>
  readFileSync(TASKS_FILE, "utf8")
    .trim()
    .split("\n")
    .map((line) => JSON.parse(line) as RecordedTask);

/** A model's answers to each of the tasks, by their ids. `prompt` is a part of the instruction. */
export function readAnswers(): VerdictCase[] {
  const file = join(folder, "answers.md");
  return readWritten(readFileSync(file, "utf8"), file);
}

/** One model that answers every task, distinguished by its instruction. */
export function scriptOfAll(answers: readonly VerdictCase[]): Script {
  const steps = answers.flatMap((answer) => {
    const isAsked = {
      type: "text" as const,
      subject: "conversation" as const,
      pattern: answer.prompt.toLowerCase(),
      not: false,
    };
    return scriptOf(answer).steps.map((step) => ({ ...step, when: [...step.when, isAsked] }));
  });
  return { name: "fullstack", steps, otherwise: scriptOf(answers[0]!).otherwise };
}
