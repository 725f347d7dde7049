import type { CodedValue, Message, Sentence } from "./types.ts";

/** English texts by code; each is a function of its values. */
type Texts = Record<string, (values: never) => string>;

type GivenValue = string | number | Sentence | readonly (string | Sentence)[];

/** The values of a sentence as passed: sentences may take the place of text, except in a count. */
type Given<Values> = {
  readonly [Name in keyof Values]: Values[Name] extends number ? number : GivenValue;
};

type Rest<Text extends (values: never) => string> =
  Parameters<Text> extends [] ? [] : [values: Given<Parameters<Text>[0]>];

/** A function that creates sentences from these texts by code. */
export const sentencesOf =
  <All extends Texts>(texts: All) =>
  <Code extends keyof All & string>(code: Code, ...rest: Rest<All[Code]>): Sentence => {
    const values = Object.entries((rest[0] ?? {}) as Record<string, GivenValue>);
    const english = texts[code] as unknown as (values: Record<string, unknown>) => string;
    // Sentences joined into one keep their own commas.
    const separator = code === "clauses" ? "; " : ", ";
    const text = english(
      Object.fromEntries(values.map(([name, value]) => [name, textIn(value, separator)])),
    );
    if (values.length === 0) return { text, coded: { code } };
    const coded = Object.fromEntries(values.map(([name, value]) => [name, codedIn(value)]));
    return { text, coded: { code, values: coded } };
  };

const textOf = (value: string | Sentence) => (typeof value === "string" ? value : value.text);
const codedOf = (value: string | Sentence) =>
  typeof value === "string" ? value : (value.coded ?? value.text);

function textIn(value: GivenValue, separator: string): string | number {
  if (typeof value === "number") return value;
  return isList(value) ? value.map(textOf).join(separator) : textOf(value);
}

function codedIn(value: GivenValue): CodedValue {
  if (typeof value === "number") return value;
  return isList(value) ? value.map(codedOf) : codedOf(value);
}

const isList = (value: GivenValue): value is readonly (string | Sentence)[] => Array.isArray(value);

/** Wraps text without a code, by a model, a person or a program, as a sentence. Sentences are returned unchanged. */
export const asSentence = (words: string | Sentence): Sentence =>
  typeof words === "string" ? { text: words } : words;

/** Converts a sentence to the fields of an error. */
export const asMessage = ({ text, coded }: Sentence): Message => ({
  message: text,
  messageCode: coded,
});

/** Converts the fields of an error to a sentence. */
export const sentenceIn = ({ message, messageCode }: Message): Sentence => ({
  text: message,
  coded: messageCode,
});

/** The sentence of one of Treadle's own errors; for any other, its message without a code. */
export function errorSentence(error: unknown): Sentence {
  if (!(error instanceof Error)) return { text: String(error) };
  const { sentence } = error as { sentence?: Partial<Sentence> };
  return typeof sentence?.text === "string" ? (sentence as Sentence) : { text: error.message };
}
