import { NEW_VALUE, parseChecks, stepWords, writeTarget } from "@treadle/protocol/checks";
import type { Recorded, RecordedTarget } from "./recorded.ts";

/** Maximum number of steps in a check. */
export const MAX_STEPS = 40;

/** A step of the check being recorded. */
export interface RecordedStep {
  /** A unique key. */
  key: number;
  /** The step as text of a check; a secret in it is `{new}`, and a typed text that is expected later ends in it. */
  words: string;
  /** The same text with the secret as it was typed. */
  secretWords?: string;
  /** Whether a typed text in it ends in `{new}`. */
  hasNewText?: boolean;
  /** The recorded action; undefined once the person has edited the text. */
  recorded?: Recorded;
}

/** Written in place of a password that is not recorded; each run types a new value. */
const FRESH = NEW_VALUE;

/** Adds an action, unless there are `MAX_STEPS` steps; further typing in a field updates the previous step. */
export function addRecorded(steps: readonly RecordedStep[], next: Recorded): RecordedStep[] {
  const last = steps.at(-1);
  const before = last?.recorded;
  const isSame = before?.target !== undefined && sameElement(before.target, next.target);
  const key = (last?.key ?? 0) + 1;
  if (next.do === "type" && before?.do === "type" && isSame)
    return withNewTexts([...steps.slice(0, -1), stepOf(next, last!.key)]);
  if (steps.length >= MAX_STEPS) return [...steps];
  // After typing in a field, the key goes to that field anyway.
  const isThere = next.do === "press" && before?.do === "type" && isSame;
  const { target: _target, ...bare } = next;
  return withNewTexts([...steps, stepOf(isThere ? bare : next, key)]);
}

/** Matches typed texts that a field may not accept with a word added: numbers, dates, addresses. */
const FIXED_TEXT = /^[\d\s.,:/+-]*$|@|:\/\//;
/** Fields that accept any text. */
const FREE_FIELDS: ReadonlySet<string> = new Set(["textbox", "searchbox"]);

/**
 * Adds `{new}` to each typed text that a later step expects to see. The person has just typed it into their own app,
 * whose data a check runs on: expecting the same text again would hold before the check did anything, and prove
 * nothing.
 */
function withNewTexts(steps: readonly RecordedStep[]): RecordedStep[] {
  const expected = steps.flatMap(({ recorded }) =>
    recorded?.do === "expect" && recorded.target ? [recorded.target] : [],
  );
  const typed = steps.flatMap(({ recorded }) =>
    recorded && isFreeText(recorded) && expected.some((target) => shows(target, recorded.text))
      ? [recorded.text]
      : [],
  );
  return steps.map((step) => {
    const { recorded } = step;
    if (recorded?.do === "expect" && recorded.target) {
      const target = typed.reduce(expectNew, recorded.target);
      return { ...step, words: wordsOf({ ...recorded, target }, "") };
    }
    if (!recorded || !isFreeText(recorded)) return step;
    const isNew = typed.includes(recorded.text);
    const text = isNew ? `${recorded.text} ${FRESH}` : recorded.text;
    return { ...step, words: wordsOf(recorded, text), hasNewText: isNew };
  });
}

const shows = (target: RecordedTarget, text: string) =>
  JSON.stringify(expectNew(target, text)) !== JSON.stringify(target);

/** The target of an expectation, with `{new}` added after each occurrence of a typed text. */
function expectNew(target: RecordedTarget, typed: string): RecordedTarget {
  const pattern = new RegExp(
    `(?<![\\p{L}\\p{N}])${typed.replace(/[.*+?^${}()|[\]\\/]/g, String.raw`\$&`)}(?![\\p{L}\\p{N}])`,
    "gu",
  );
  const renew = (text: string) => text.replace(pattern, `$& ${FRESH}`);
  const text = target.text === undefined ? {} : { text: renew(target.text) };
  if ("css" in target) return { ...target, ...text };
  if ("words" in target) return { ...target, ...text, words: renew(target.words) };
  const { name, within } = target;
  const row = within && { ...within, name: renew(within.name) };
  return { ...target, ...text, name: renew(name), ...(row && { within: row }) };
}

const isFreeText = ({ do: act, isSecret, target, text }: Recorded) =>
  act === "type" &&
  !isSecret &&
  target !== undefined &&
  "role" in target &&
  FREE_FIELDS.has(target.role) &&
  !FIXED_TEXT.test(text);

/** Adds a step as text, such as opening a page, unless there are `MAX_STEPS` steps. */
export const addWords = (steps: readonly RecordedStep[], words: string): RecordedStep[] =>
  steps.length >= MAX_STEPS ? [...steps] : [...steps, { key: (steps.at(-1)?.key ?? 0) + 1, words }];

/** Whether a text is a valid step of a check. */
export function isStep(words: string): boolean {
  if (words.trim() === "" || /[\r\n]/.test(words)) return false;
  const { checks, problems } = parseChecks(`## Check\n- ${words}\n`);
  return problems.length === 0 && checks.length === 1;
}

function stepOf(recorded: Recorded, key: number): RecordedStep {
  const words = wordsOf(recorded, recorded.isSecret ? FRESH : recorded.text);
  return {
    key,
    words,
    recorded,
    secretWords: recorded.isSecret ? wordsOf(recorded, recorded.text) : undefined,
  };
}

function wordsOf({ do: act, target }: Recorded, text: string): string {
  const { text: content, is } = target ?? {};
  return stepWords({
    do: act,
    on: target ? targetWords(target) : undefined,
    ...(act === "expect" ? content !== undefined && { text: content } : { text }),
    is: is ? [is] : undefined,
  });
}

/** The target as it is written in steps. */
function targetWords(target: RecordedTarget): string {
  if ("css" in target) return writeTarget({ css: `css=${target.css}` });
  if ("words" in target) return writeTarget({ words: target.words });
  const { role, name, within } = target;
  return writeTarget({ role, name, within });
}

const sameElement = (one: RecordedTarget, other: RecordedTarget | undefined): boolean =>
  other !== undefined && targetWords(one) === targetWords(other);
