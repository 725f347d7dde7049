import type { CodedValue, Sentence } from "./types.ts";

/** English texts by their codes; each takes its values, if it has some, by their names. */
type Texts = Record<string, (values: never) => string>;

/** The values of a sentence as they are given: where it has text, another sentence may stand. */
type Given<Values> = {
  readonly [Name in keyof Values]: Values[Name] extends string
    ? string | Sentence
    : Values[Name] extends readonly string[]
      ? readonly (string | Sentence)[]
      : Values[Name];
};

type Rest<Text extends (values: never) => string> =
  Parameters<Text> extends [] ? [] : [values: Given<Parameters<Text>[0]>];

/** A function that makes a sentence by its code, of these texts. */
export const sentencesOf =
  <All extends Texts>(texts: All) =>
  <Code extends keyof All & string>(code: Code, ...rest: Rest<All[Code]>): Sentence => {
    const values = Object.entries((rest[0] ?? {}) as Record<string, GivenValue>);
    const english = texts[code] as unknown as (values: Record<string, unknown>) => string;
    const text = english(Object.fromEntries(values.map(([name, value]) => [name, textIn(value)])));
    if (values.length === 0) return { text, coded: { code } };
    const coded = Object.fromEntries(values.map(([name, value]) => [name, codedIn(value)]));
    return { text, coded: { code, values: coded } };
  };

type GivenValue = string | number | Sentence | readonly (string | Sentence)[];

const textOf = (value: string | Sentence) => (typeof value === "string" ? value : value.text);
const codedOf = (value: string | Sentence) =>
  typeof value === "string" ? value : (value.coded ?? value.text);

function textIn(value: GivenValue): string | number | string[] {
  if (typeof value === "number") return value;
  return isList(value) ? value.map(textOf) : textOf(value);
}

function codedIn(value: GivenValue): CodedValue {
  if (typeof value === "number") return value;
  return isList(value) ? value.map(codedOf) : codedOf(value);
}

const isList = (value: GivenValue): value is readonly (string | Sentence)[] => Array.isArray(value);

/** Text without a code, by a model, a person or a program. Sentences are returned unchanged. */
export const asSentence = (words: string | Sentence): Sentence =>
  typeof words === "string" ? { text: words } : words;
