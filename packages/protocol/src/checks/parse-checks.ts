import { toProjectPath } from "../project-path/index.ts";
import type { PageStep } from "./types.ts";
import { parseStep } from "./parse-step.ts";

/** Where a project keeps its acceptance checks, so that they go with its source. */
export const CHECKS_FILE = toProjectPath(".treadle/checks.md");
/** Characters of that file that are read. */
export const CHECKS_LENGTH = 64 * 1024;
/** Checks of a project; what is over is said, not run. */
const CHECKS = 30;
/** Steps of one check. */
const STEPS = 40;

/** One acceptance check: its heading and what is done and expected, in order. */
export interface Check {
  name: string;
  steps: PageStep[];
}

/** The checks of a file. */
export interface Checks {
  checks: Check[];
  /** The file says `run: by hand`: they are run when somebody asks, and count then. */
  byHand: boolean;
  /** What cannot be read, each with its line. */
  problems: string[];
}

/**
 * Reads acceptance checks from Markdown: each heading begins one, each list item below it is a step. Everything else is
 * for people. Never throws: what is no step is a problem with a line number.
 *
 *     ## Adds a task and keeps it
 *     - type "Milk" in textbox "Task"
 *     - press Enter
 *     - reload
 *     - expect "Milk"
 */
export function parseChecks(text: string): Checks {
  const checks: Check[] = [];
  const problems: string[] = [];
  let byHand = false;
  let fence = false;
  text.split(/\r?\n/).forEach((raw, index) => {
    const line = raw.trim();
    const at = `line ${index + 1}`;
    if (/^(?:```|~~~)/.test(line)) fence = !fence;
    if (fence) return;
    if (checks.length === 0 && /^run:\s*by hand$/i.test(line)) byHand = true;
    const heading = /^#{2,}\s/.test(line) ? headingOf(line) : undefined;
    if (heading !== undefined) checks.push({ name: heading, steps: [] });
    const item = /^(?:[-*+]|\d+[.)])\s+(\S.*)$/.exec(line)?.[1];
    const check = checks.at(-1);
    if (item === undefined || !check) return;
    const step = parseStep(item);
    if (typeof step === "string") problems.push(`${at}: ${step}`);
    else if (check.steps.length < STEPS) check.steps.push(step);
    else if (check.steps.length === STEPS)
      problems.push(`${at}: a check has ${STEPS} steps at most`);
  });
  for (const { name, steps } of checks)
    if (steps.length === 0) problems.push(`the check “${name}” has no steps`);
  if (checks.length > CHECKS) problems.push(`${checks.length} checks; ${CHECKS} is the most`);
  return {
    checks: checks.filter(({ steps }) => steps.length > 0).slice(0, CHECKS),
    byHand,
    problems,
  };
}

/** What a heading says, without the marks that some write behind it as well. */
function headingOf(line: string): string | undefined {
  const said = line.replace(/^#+/, "").trim();
  let end = said.length;
  while (end > 0 && said[end - 1] === "#") end--;
  return said.slice(0, end).trim() || undefined;
}
