import { headOf } from "../safe-text/index.ts";
import { Cursor, isOpenQuote } from "./cursor.ts";
import { STEP_FORMS, type StepForm } from "./forms.ts";
import type { StepProblem } from "./problems.ts";
import { stepWords } from "./step-words.ts";
import { isSetting, type PageStep } from "./types.ts";

/** Characters of a step. */
const STEP_CHARS = 1_000;
/** Characters of a step that a problem names. */
const SHOWN_CHARS = 80;

/**
 * What words are read as. `as` alone says who does the steps that follow (undefined: the first person); with a step
 * behind it, that step has it.
 */
export type ParsedStep =
  | { kind: "step"; step: PageStep }
  | { kind: "person"; as: string | undefined }
  | { kind: "problem"; problem: StepProblem };

/** Reads one step in plain words, in time linear to their length. Never throws. */
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

/** Reads steps that follow one another, up to the first that is none. Persons hold for the steps behind them. */
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

/** The end of a sentence is no part of a step; an ellipsis is. */
const withoutStop = (line: string) => (/(?:^|[^.])\.$/.test(line) ? line.slice(0, -1) : line);

/** `as "second":`, behind which a step may follow. */
function readPerson(cursor: Cursor): { as: string | undefined } | undefined {
  if (!cursor.word("as")) return undefined;
  const name = cursor.quoted() ?? cursor.match(/^\w+$/)?.[0];
  if (name !== undefined && (cursor.colon() || cursor.isAtEnd))
    return { as: name.toLowerCase() === "first" ? undefined : name };
  cursor.reset(0);
  return undefined;
}

/**
 * The example of the form that reads most of the step, else of one whose words it shares. Another verb before an element
 * (`check radio "A"`) is most likely a click.
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
/** What steps begin with. */
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
