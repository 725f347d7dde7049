import type { Check } from "../../checks/parse-checks.ts";
import { NEW_VALUE, type PageStep } from "@treadle/protocol/checks";
import { sentTexts, typedTexts, wholeWord, wordsOf } from "./typed-texts.ts";

/** A check with replaced values in its actions and expectations. */
export interface OtherValues {
  check: Check;
  /** The replacement of each value in the check. */
  values: ReadonlyMap<string, string>;
}

const EMAIL = /^[^\s@]+@[^\s@]+\.[^\s@]+$/;
const ADDRESS = /^https?:\/\/[\w.-]+(?::\d+)?(?:\/[\w./-]*)?$/;
const NUMBER = /^\d{1,9}(?:[.,]\d{1,4})?$/;
/** Natural text: letters with the punctuation between and beside them. */
const WORDS = /^(?=.*\p{L}.*\p{L})[\p{L}\p{M}\p{N}\s'’,!?&-]{2,120}$/u;
/** A code rather than a word: an abbreviation or a currency. */
const CODE = /^[A-Z\d]{1,4}$/;
/** Letters from which replacements are made, in turn. */
const LETTERS = "zwiebackmoldurnifeg";

/**
 * Returns the check with another value of the same kind wherever it types a text and expects it: a
 * word for a word, an address for an address, a number for a number unless another expectation
 * could be computed from it.
 * @returns undefined if there is no such value, or if replacing one would change what the check
 * demands
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
 * Returns variants of the check with other values for everything that it types: of the same kind
 * and another size, then of a middle size or another kind. A page that rejects some input would
 * accept one of them. Empty if one of the values has no alternative.
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

/**
 * Whether a part of a value is typed as well, as in a search: it would not be a part of another
 * value.
 */
const isSoughtInPart = (value: string, steps: readonly PageStep[]): boolean =>
  steps.some(
    ({ do: act, text }) =>
      act === "type" &&
      text !== undefined &&
      text !== "" &&
      text !== value &&
      value.toLowerCase().includes(text.toLowerCase()),
  );

/** Replaces the values that the step names. */
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

/**
 * Replaces each value where it is a whole word, the longest first, as one may contain another. Replaces all of them in
 * one pass, so that replacements are not replaced themselves.
 */
export function replaceAll(text: string, values: ReadonlyMap<string, string>): string {
  if (values.size === 0) return text;
  const longest = [...values].toSorted(([a], [b]) => b.length - a.length);
  const any = new RegExp(longest.map(([value]) => `(${wholeWord(value).source})`).join("|"), "gu");
  return text.replaceAll(any, (...found: unknown[]) => {
    const group = longest.findIndex((_, index) => found[index + 1] !== undefined);
    return longest[group]![1];
  });
}

/**
 * Whether a new value can be distinguished from the other replacements: a step finds text by a part of it, in any case,
 * so one may contain another only if the original values do.
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
 * Returns another text of the same form, with other letters.
 * @param fits rejects an unsuitable candidate; the next one is tried, until there is none
 */
function otherText(text: string, fits = (_other: string) => true): string | undefined {
  const at = EMAIL.test(text) ? text.lastIndexOf("@") : text.length;
  if (at === text.length && (!WORDS.test(text) || CODE.test(text))) return undefined;
  const others = Array.from(LETTERS, (_, from) => otherLetters(text.slice(0, at), from));
  return others.map((other) => other + text.slice(at)).find(fits);
}

/** Returns another page on the same host. */
function otherAddress(text: string): string {
  const url = new URL(text);
  const path = otherLetters(url.pathname);
  url.pathname = path === url.pathname ? `${path.replace(/\/$/, "")}/${LETTERS}` : path;
  return url.href;
}

/**
 * Replaces the letters of a text and keeps its length, its capitals and everything else.
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

/** The next number, if no expectation contains a different number. */
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
 * Whether a check with other values failed at a server's answer although an earlier request was
 * answered as expected: the server then accepted the other value but does not return it.
 * @param failedAt index of the step
 */
export function isUntold(steps: readonly PageStep[], failedAt: number): boolean {
  if (steps[failedAt]?.do !== "expect_body") return false;
  const sent = steps.findIndex(({ do: act, body }) => act === "request" && body !== undefined);
  return sent !== -1 && steps.slice(sent, failedAt).some(({ do: act }) => act === "expect_status");
}

/** The page when a check with other values ended, and before. */
export interface OtherOutcome {
  /** Outline before the last action. */
  before: string;
  /** Outline at the end. */
  after: string;
}

/**
 * Whether an answer was prepared for one value: with another one the page stays unchanged, or shows
 * the same as for the first. A page that responds specifically to the other value, for example that
 * it is unknown or that one of two places is left, has evaluated it.
 * @param original outline at the end of the original check
 */
export function isPrepared(
  original: string,
  { before, after }: OtherOutcome,
  values: ReadonlyMap<string, string>,
): boolean {
  const known = new Set([...linesOf(before), ...linesOf(replaceAll(original, values))]);
  const fresh = linesOf(after).filter((line) => !known.has(line));
  const isOfFirst = (line: string) =>
    [...values.keys()].some((value) => wholeWord(value).test(line)) &&
    ![...values.values()].some((other) => wholeWord(other).test(line));
  return fresh.every(isOfFirst);
}

/** The lines of an outline without fields, which contain the typed text. */
const linesOf = (outline: string): string[] =>
  outline
    .split("\n")
    .map((line) => line.trim())
    .filter((line) => line !== "" && !/^- (?:textbox|searchbox|combobox|spinbutton)\b/.test(line))
    .map((line) => line.replace(/ \[(?:active|focused)\]/g, ""));
