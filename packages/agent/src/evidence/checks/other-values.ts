import type { Check } from "../../checks/parse-checks.ts";
import { NEW_VALUE, type PageStep } from "@treadle/protocol/checks";
import { sentTexts, typedTexts, wholeWord, wordsOf } from "./typed-texts.ts";

/** A check with other values in place of those that it types and expects. */
export interface OtherValues {
  check: Check;
  /** Each value as the check has it, with the one in its place. */
  values: ReadonlyMap<string, string>;
}

const EMAIL = /^[^\s@]+@[^\s@]+\.[^\s@]+$/;
const ADDRESS = /^https?:\/\/[\w.-]+(?::\d+)?(?:\/[\w./-]*)?$/;
const NUMBER = /^\d{1,9}(?:[.,]\d{1,4})?$/;
/** What is written in words: letters, and what stands between and beside them. */
const WORDS = /^(?=.*\p{L}.*\p{L})[\p{L}\p{M}\p{N}\s'’,!?&-]{2,120}$/u;
/** A code rather than a word: an abbreviation, a currency. */
const CODE = /^[A-Z\d]{1,4}$/;
/** Letters that other words are made of, in turn. */
const LETTERS = "zwiebackmoldurnifeg";

/**
 * The same check with another value of the same kind wherever it types a text and expects it: a word for a word, an address
 * for an address, a number for a number where nothing else that is expected could be computed from it.
 * @returns undefined where there is no such value, or one could not be replaced without changing what the check asks
 */
export function otherValues({ name, steps }: Check): OtherValues | undefined {
  const values = new Map<string, string>();
  const typed = steps.flatMap(({ do: act, text }) => (act === "type" && text ? [text] : []));
  const otherOf = (text: string) =>
    otherText(text, (one) => isTellable(text, one, values) && !typed.includes(one));
  for (const { text } of typedTexts(steps)) {
    if (text.includes(NEW_VALUE) || isSoughtInPart(text, steps)) continue;
    const other = NUMBER.test(text) ? otherNumber(text, steps) : otherOf(text);
    if (other !== undefined && other !== text) values.set(text, other);
  }
  for (const text of sentTexts(steps)) {
    if (text.includes(NEW_VALUE)) continue;
    const other = ADDRESS.test(text) ? otherAddress(text) : otherOf(text);
    if (other !== undefined && other !== text && isTellable(text, other, values))
      values.set(text, other);
  }
  if (values.size === 0) return undefined;
  return { check: { name, steps: steps.map((step) => replaceIn(step, values)) }, values };
}

/**
 * The same check with other values in place of all that it types: of the same kind and another size, then of a middle size
 * or another kind. A page that refuses what is typed would take one of them. Empty where one of the values has no other.
 */
export function otherTyped({ name, steps }: Check): Check[] {
  const typed = new Set(steps.flatMap(({ do: act, text = "" }) => (act === "type" ? [text] : [])));
  return [larger, different].flatMap((other): Check[] => {
    const values = new Map([...typed].map((text) => [text, other(text)]));
    const change = (step: PageStep) =>
      step.do === "type" ? { ...step, text: values.get(step.text ?? "") ?? "" } : step;
    return [...values.values()].includes(undefined) ? [] : [{ name, steps: steps.map(change) }];
  });
}

function larger(text: string): string | undefined {
  if (text.trim() === "" || text.includes(NEW_VALUE)) return text;
  if (NUMBER.test(text)) return `${text.replace(/[.,].*/, "")}7`;
  if (EMAIL.test(text)) return otherText(text);
  return /\p{L}/u.test(text) ? `${otherLetters(text)} ${LETTERS}` : undefined;
}

function different(text: string): string | undefined {
  if (text.trim() === "") return text;
  if (NUMBER.test(text)) return "50";
  return EMAIL.test(text) ? otherText(text) : `${LETTERS}${NEW_VALUE}@example.com`;
}

/** Whether a part of a value is typed as well, as into a search: of another value it would be no part. */
const isSoughtInPart = (value: string, steps: readonly PageStep[]): boolean =>
  steps.some(
    ({ do: act, text }) =>
      act === "type" &&
      text !== undefined &&
      text !== "" &&
      text !== value &&
      value.toLowerCase().includes(text.toLowerCase()),
  );

/** The step with the other values in place of those that it names. */
function replaceIn(step: PageStep, values: ReadonlyMap<string, string>): PageStep {
  const { on, text, body } = step;
  const isPlain = on !== undefined && !on.startsWith("css=");
  return {
    ...step,
    ...(isPlain && { on: replaceAll(on, values) }),
    ...(text !== undefined && { text: replaceAll(text, values) }),
    ...(body !== undefined && { body: replaceAll(body, values) }),
  };
}

/** A text with each of the values replaced where it stands by itself; the longest first, as one may be within another. */
export function replaceAll(text: string, values: ReadonlyMap<string, string>): string {
  const longest = [...values].toSorted(([a], [b]) => b.length - a.length);
  const marks = longest.map(([, other], index) => [`\u0000${index}\u0000`, other] as const);
  let marked = text;
  for (const [index, [value]] of longest.entries())
    marked = marked.replaceAll(wholeWord(value, "gu"), () => marks[index]![0]);
  return marks.reduce((rest, [mark, other]) => rest.replaceAll(mark, () => other), marked);
}

/**
 * Whether a value can be told from those that stand for other ones: a step finds a text by a part of it, in any case, so one
 * may hold another only where the first ones do.
 */
function isTellable(text: string, other: string, values: ReadonlyMap<string, string>): boolean {
  const holds = (fullText: string, part: string) =>
    fullText.toLowerCase().includes(part.toLowerCase());
  return [...values].every(
    ([first, its]) =>
      first === text ||
      ((!holds(other, its) || holds(text, first)) && (!holds(its, other) || holds(first, text))),
  );
}

/**
 * A text of the same form with other letters.
 * @param fits refuses one that will not do; the next one is tried then, until there is no other
 */
function otherText(text: string, fits = (_other: string) => true): string | undefined {
  const at = EMAIL.test(text) ? text.lastIndexOf("@") : text.length;
  if (at === text.length && (!WORDS.test(text) || CODE.test(text))) return undefined;
  const others = Array.from(LETTERS, (_, from) => otherLetters(text.slice(0, at), from));
  return others.map((other) => other + text.slice(at)).find(fits);
}

/** Another page of the same host. */
function otherAddress(text: string): string {
  const url = new URL(text);
  const path = otherLetters(url.pathname);
  url.pathname = path === url.pathname ? `${path.replace(/\/$/, "")}/${LETTERS}` : path;
  return url.href;
}

/**
 * Other letters in a text of the same form: its length, its capitals and all that is no letter stay.
 * @param from index of the first letter taken
 */
function otherLetters(text: string, from = 0): string {
  const others = [...text].filter((char) => /[^\P{L}a-z]/iu.test(char)).toReversed();
  let at = from;
  return Array.from(text, (char) => {
    if (/[a-z]/i.test(char)) {
      const letter = LETTERS[at++ % LETTERS.length]!;
      return char === char.toUpperCase() ? letter.toUpperCase() : letter;
    }
    return /\p{L}/u.test(char) ? (others.shift() ?? char) : char;
  }).join("");
}

/** The number next to it, if no expectation shows a number that is not this one. */
function otherNumber(text: string, steps: readonly PageStep[]): string | undefined {
  const isExpectation = ({ do: act }: PageStep) => act.startsWith("expect");
  const rest = steps
    .filter(isExpectation)
    .flatMap(wordsOf)
    .map((words) => words.replaceAll(wholeWord(text, "gu"), ""));
  const typed = steps.filter(({ do: act, text: one = "" }) => act === "type" && NUMBER.test(one));
  if (typed.length > 1 || rest.some((words) => /\d/.test(words))) return undefined;
  const [fullText = "", fraction = ""] = text.split(/(?=[.,])/);
  const next = Number(fullText) > 1 ? Number(fullText) - 1 : Number(fullText) + 1;
  return `${next}${fraction}`;
}

/**
 * Whether a check with other values failed at what its server answers although a request before that was answered as it was
 * expected: then the server took the other value, and does not tell it.
 * @param failedAt index of the step
 */
export function isUntold(steps: readonly PageStep[], failedAt: number): boolean {
  if (steps[failedAt]?.do !== "expect_body") return false;
  const sent = steps.findIndex(({ do: act, body }) => act === "request" && body !== undefined);
  return sent !== -1 && steps.slice(sent, failedAt).some(({ do: act }) => act === "expect_status");
}

/** What the page showed when a check with other values ended, and before. */
export interface OtherOutcome {
  /** Outline before the last thing that was done. */
  before: string;
  /** Outline at the end. */
  after: string;
}

/**
 * Whether an answer was prepared for one value: with another one the page shows the same as if nothing had been done, or
 * what it shows of the first. A page that has something of its own to say of the other value, as that it knows of none such,
 * has looked at it.
 * @param original outline at the end of the check as it is written
 */
export function isPrepared(
  original: string,
  { before, after }: OtherOutcome,
  values: ReadonlyMap<string, string>,
): boolean {
  const known = new Set([...linesOf(before), ...linesOf(replaceAll(original, values))]);
  const fresh = linesOf(after).filter((line) => !known.has(line));
  return fresh.every((line) => [...values.keys()].some((value) => wholeWord(value).test(line)));
}

/** The lines of an outline without those of fields: what stands in them was typed. */
const linesOf = (outline: string): string[] =>
  outline
    .split("\n")
    .map((line) => line.trim())
    .filter((line) => line !== "" && !/^- (?:textbox|searchbox|combobox|spinbutton)\b/.test(line))
    .map((line) => line.replace(/ \[(?:active|focused)\]/g, ""));
