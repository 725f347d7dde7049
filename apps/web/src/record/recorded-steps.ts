import { NEW_VALUE, parseChecks, stepWords, writeTarget } from "@treadle/protocol/checks";
import type { Recorded, RecordedTarget } from "./recorded.ts";

/** Maximum number of steps in a check. */
export const MAX_STEPS = 40;

/** A step of the check being recorded. */
export interface RecordedStep {
  /** A unique key. */
  key: number;
  /** The step as text of a check; a secret in it is `{new}`. */
  words: string;
  /** The same text with the secret as it was typed. */
  secretWords?: string;
  /** The recorded action; undefined once the person has edited the text. */
  recorded?: Recorded;
}

/** Replaces a password that is not recorded: a new value for each run. */
const FRESH = NEW_VALUE;

/** Adds an action; further typing in a field updates the previous step. */
export function addRecorded(steps: readonly RecordedStep[], next: Recorded): RecordedStep[] {
  const last = steps.at(-1);
  const before = last?.recorded;
  const isSame = before?.target !== undefined && sameElement(before.target, next.target);
  const key = (last?.key ?? 0) + 1;
  if (next.do === "type" && before?.do === "type" && isSame)
    return [...steps.slice(0, -1), stepOf(next, last!.key)];
  if (steps.length >= MAX_STEPS) return [...steps];
  // After typing in a field, the key goes to that field anyway.
  const isThere = next.do === "press" && before?.do === "type" && isSame;
  const { target: _target, ...bare } = next;
  return [...steps, stepOf(isThere ? bare : next, key)];
}

/** Adds a step as text, such as opening a page. */
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
