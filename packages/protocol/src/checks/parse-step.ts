import { headOf } from "../safe-text/index.ts";
import { Cursor, isOpenQuote } from "./cursor.ts";
import { STEP_FORMS, type StepForm } from "./forms.ts";
import type { StepProblem } from "./problems.ts";
import { stepWords } from "./step-words.ts";
import { isSetting, type PageStep } from "./types.ts";

/** Maximum length of a step. */
const STEP_CHARS = 1_000;
/** Maximum length of a step in a problem. */
const SHOWN_CHARS = 80;

/**
 * A parsed line. `as` alone names who does the following steps (undefined: the first person); with
 * a step after it, it applies to that step.
 */
export type ParsedStep =
  | { kind: "step"; step: PageStep }
  | { kind: "person"; as: string | undefined }
  | { kind: "problem"; problem: StepProblem };

/** Parses one step in plain words, in linear time. Never throws. */
export function parseStep(text: string): ParsedStep {
  if (text.length > STEP_CHARS)
    return refuse({ code: "too-long", words: headOf(text, SHOWN_CHARS), most: STEP_CHARS });
  const words = headOf(text.trim(), SHOWN_CHARS);
  const line = withoutStop(text.trim());
  const cursor = new Cursor(line);
  const person = readPerson(cursor);
  if (person && cursor.isAtEnd) return { kind: "person", as: person.as };
  const start = cursor.at;
  for (const form of STEP_FORMS) {
    cursor.reset(start);
    const step = form.read(cursor);
    if (!step || !cursor.isAtEnd) continue;
    return { kind: "step", step: person?.as === undefined ? step : { ...step, as: person.as } };
  }
  if (hasOpenQuote(new Cursor(line))) return refuse({ code: "open-quote", words });
  const nearest = nearestForm(line.slice(start));
  const role = cursor.unknownRole;
  return refuse(
    role === undefined
      ? { code: "unknown-form", words, nearest }
      : { code: "unknown-role", words, role, nearest },
  );
}

/** Parses consecutive steps up to the first invalid one. A person applies to the steps after it. */
export function parseSteps(lines: readonly string[]): {
  steps: PageStep[];
  problem?: StepProblem;
} {
  const steps: PageStep[] = [];
  let as: string | undefined;
  for (const line of lines) {
    const parsed = parseStep(line);
    if (parsed.kind === "problem") return { steps, problem: parsed.problem };
    if (parsed.kind === "person") as = parsed.as;
    else if (parsed.step.do === "date" && !steps.every(isSetting))
      return { steps, problem: { code: "not-first", words: headOf(line, SHOWN_CHARS) } };
    else steps.push(as === undefined ? parsed.step : { as, ...parsed.step });
  }
  return { steps };
}

const refuse = (problem: StepProblem): ParsedStep => ({ kind: "problem", problem });

/** Removes the full stop at the end; an ellipsis stays. */
const withoutStop = (line: string) => (/(?:^|[^.])\.$/.test(line) ? line.slice(0, -1) : line);

/** `as "second":`, optionally followed by a step. */
function readPerson(cursor: Cursor): { as: string | undefined } | undefined {
  if (!cursor.word("as")) return undefined;
  const name = cursor.quoted() ?? cursor.match(/^\w+$/)?.[0];
  if (name !== undefined && (cursor.colon() || cursor.isAtEnd))
    return { as: name.toLowerCase() === "first" ? undefined : name };
  cursor.reset(0);
  return undefined;
}

/**
 * The example of the form that matches most of the step, or shares its words. Another verb before
 * an element (`check radio "A"`) most likely means a click.
 */
function nearestForm(line: string): string {
  let best: { form: StepForm; score: number } | undefined;
  const [verb = "", ...others] = line.split(" ");
  const clicked = new Cursor(`click ${others.join(" ")}`);
  const click = STEP_VERBS.has(verb.toLowerCase()) ? undefined : CLICK?.read(clicked);
  if (click && clicked.isAtEnd) return stepWords(click);
  const own = new Set(line.toLowerCase().split(/\s+/));
  for (const form of STEP_FORMS) {
    const cursor = new Cursor(line);
    form.read(cursor);
    const shared = wordsOf(form).filter((word) => own.has(word)).length;
    const score = cursor.furthest * 100 + shared;
    if (!best || score > best.score) best = { form, score };
  }
  return best!.form.examples[0];
}

const CLICK = STEP_FORMS.find(({ examples }) => examples[0].startsWith("click "));
/** First words of steps. */
const STEP_VERBS = new Set(
  STEP_FORMS.flatMap(({ examples }) => examples.map((one) => one.split(" ", 1)[0]!)),
);

const wordsOf = ({ examples }: StepForm) => [
  ...new Set(examples.flatMap((example) => example.toLowerCase().split(/\s+/))),
];

function hasOpenQuote(cursor: Cursor): boolean {
  for (let token = cursor.take(); token; token = cursor.take()) if (isOpenQuote(token)) return true;
  return false;
}
