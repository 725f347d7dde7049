import { toProjectPath } from "../project-path/index.ts";
import { headOf } from "../safe-text/index.ts";
import { parseStep } from "./parse-step.ts";
import type { CheckProblem } from "./problems.ts";
import { isSetting, type PageStep } from "./types.ts";

/** Path of a project's acceptance checks, which are part of its source. */
export const CHECKS_FILE = toProjectPath(".treadle/checks.md");
/** Number of characters read of that file. */
export const CHECKS_LENGTH = 64 * 1024;
/** Maximum number of checks; further ones are reported, not run. */
const CHECKS = 30;
/** Maximum number of steps of one check, including those before each. */
const STEPS = 40;
/** Maximum number of persons in one check. */
const PERSONS = 3;

/** Headings that do not start a check. */
const BEFORE_EACH = "before each";
const STARTS_EMPTY = "starts empty";

/** An acceptance check: its heading and its steps, in order. */
export interface Check {
  name: string;
  /** Including those of `## Before each`, which come first. */
  steps: PageStep[];
  /** How many of the last steps are the check's own. Absent: all. */
  own?: number;
}

/** The checks of a file. */
export interface Checks {
  checks: Check[];
  /** The steps of `## Before each`; may be empty. */
  beforeEach: PageStep[];
  /** The file declares `run: by hand`: its checks run on request, and count then. */
  byHand: boolean;
  /** Data at the start of each check: the person's, or none if the file has `## Starts empty`. */
  startsFrom: "person" | "empty";
  /** Lines that failed to parse, with their line numbers. */
  problems: CheckProblem[];
}

/** Collects the steps of a section. */
interface Section {
  /** Name of the check; empty for the steps before each. */
  name: { check?: string };
  steps: PageStep[];
  /** The name of the person who takes the following steps. */
  as: string | undefined;
  persons: Set<string>;
}

/**
 * Reads acceptance checks from Markdown: each heading begins one, each list item below it is a step. Everything else is
 * for people. Never throws: what is no step is a problem with a line number.
 *
 *     ## Before each
 *     - type "anna" in textbox "Name"
 *     ## Adds a task and keeps it
 *     - type "Milk" in textbox "Task"
 *     - press Enter
 *     - reload
 *     - expect "Milk"
 */
export function parseChecks(text: string): Checks {
  const checks: Check[] = [];
  const problems: CheckProblem[] = [];
  const beforeEach: PageStep[] = [];
  let byHand = false;
  let startsFrom: Checks["startsFrom"] = "person";
  let fence = false;
  /** The current section; undefined if steps here belong to no check. */
  let open: Section | undefined;
  let isBegun = false;
  /** Whether the check has the maximum number of steps; the problem has been reported by then. */
  let isFull = false;
  text.split(/\r?\n/).forEach((raw, index) => {
    const content = raw.trim();
    const line = index + 1;
    if (/^(?:```|~~~)/.test(content)) fence = !fence;
    if (fence) return;
    if (!isBegun && /^run:\s*by hand$/i.test(content)) byHand = true;
    const heading = /^#{2,}\s/.test(content) ? headingOf(content) : undefined;
    if (heading !== undefined) {
      isBegun = true;
      isFull = false;
      const kind = heading.toLowerCase();
      if (kind === STARTS_EMPTY) startsFrom = "empty";
      const steps = kind === BEFORE_EACH ? beforeEach : [];
      const name = steps === beforeEach ? {} : { check: heading };
      open = kind === STARTS_EMPTY ? undefined : { name, steps, as: undefined, persons: new Set() };
      if (steps !== beforeEach && open) checks.push({ name: heading, steps });
    }
    const item = /^(?:[-*+]|\d+[.)])\s+(\S.*)$/.exec(content)?.[1];
    if (item === undefined) return;
    if (!open) {
      if (isBegun && !isFull) problems.push({ code: "no-check", line, words: headOf(item, 80) });
      return;
    }
    const parsed = parseStep(item);
    if (parsed.kind === "problem") {
      problems.push({ line, ...open.name, ...parsed.problem });
      return;
    }
    const as = parsed.kind === "person" ? parsed.as : (parsed.step.as ?? open.as);
    if (as !== undefined && !open.persons.has(as) && open.persons.add(as).size === PERSONS)
      problems.push({ code: "too-many-persons", line, most: PERSONS });
    if (parsed.kind === "person") {
      open.as = as;
      return;
    }
    const step = as === undefined ? parsed.step : { ...parsed.step, as };
    const room = STEPS - (open.steps === beforeEach ? 0 : beforeEach.length);
    if (step.do === "date" && !open.steps.every(isSetting))
      problems.push({ line, ...open.name, code: "not-first", words: headOf(item, 80) });
    else if (open.steps.length < room) open.steps.push(step);
    else if (open.steps.length === room) {
      problems.push({ code: "too-many-steps", line, most: STEPS });
      open = undefined;
      isFull = true;
    }
  });
  for (const { name, steps } of checks)
    if (steps.length === 0) problems.push({ code: "no-steps", name });
  if (checks.length > CHECKS)
    problems.push({ code: "too-many-checks", count: checks.length, most: CHECKS });
  return {
    checks: checks
      .filter(({ steps }) => steps.length > 0)
      .slice(0, CHECKS)
      .map(({ name, steps }) =>
        beforeEach.length === 0
          ? { name, steps }
          : {
              name,
              steps: joined(beforeEach, steps),
              own: steps.filter(({ do: act }) => act !== "date").length,
            },
      ),
    beforeEach,
    byHand,
    startsFrom,
    problems,
  };
}

/** Puts the steps before each check in front of its own; the check's own day comes first. */
function joined(before: readonly PageStep[], steps: readonly PageStep[]): PageStep[] {
  const dates = steps.filter(({ do: act }) => act === "date");
  if (dates.length === 0) return [...before, ...steps];
  return [...dates, ...[...before, ...steps].filter(({ do: act }) => act !== "date")];
}

/** The text of a heading, without trailing marks. */
function headingOf(line: string): string | undefined {
  const text = line.replace(/^#+/, "").trim();
  let end = text.length;
  while (end > 0 && text[end - 1] === "#") end--;
  return text.slice(0, end).trim() || undefined;
}
