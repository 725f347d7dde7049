import type { PageStep } from "@treadle/protocol/checks";

/** Matches search fields, whose text adds no data. */
const ASKS = /^(?:searchbox|combobox)\b/;

/** A text that a check types into a field and then expects to be shown. */
export interface TypedText {
  /** The text as written in the step. */
  text: string;
  /** Indices of the later expectations that name the text. */
  expectedAt: number[];
}

/**
 * The texts that a check types and then expects on the page outside the field itself. Search fields are left out, because a
 * search adds no data.
 */
export function typedTexts(steps: readonly PageStep[]): TypedText[] {
  return steps.flatMap(({ do: act, on = "", text = "" }, index): TypedText[] => {
    if (act !== "type" || text.trim() === "" || ASKS.test(on)) return [];
    const names = wholeWord(text);
    const expectedAt = [...steps.entries()]
      .filter(([at, step]) => at > index && step.do === "expect" && step.as === undefined)
      .filter(([, step]) => step.on !== on && step.count !== 0)
      .filter(([, step]) => wordsOf(step).some((words) => names.test(words)))
      .map(([at]) => at);
    return expectedAt.length === 0 ? [] : [{ text, expectedAt }];
  });
}

/** Number of characters of a body that are searched. */
const BODY_CHARS = 10_000;

/**
 * The texts that a check sends in the JSON of a request and then expects in the server's answer.
 */
export function sentTexts(steps: readonly PageStep[]): string[] {
  return steps.flatMap(({ do: act, body = "" }, index): string[] => {
    if (act !== "request" || body.length > BODY_CHARS) return [];
    const answers = steps
      .slice(index + 1)
      .filter((step) => step.do === "expect_body" && step.as === undefined)
      .flatMap(wordsOf);
    return stringsIn(body).filter((text) => answers.some((words) => wholeWord(text).test(words)));
  });
}

/** The strings in a JSON text, without field names; empty if it is not JSON. */
function stringsIn(json: string): string[] {
  const found: string[] = [];
  try {
    JSON.parse(json, (_, value: unknown) => {
      if (typeof value === "string" && value.trim() !== "") found.push(value);
      return value;
    });
  } catch {
    return [];
  }
  return found;
}

/** The texts of a step that a person could see on the page; a CSS selector is left out. */
export const wordsOf = ({ on = "", text = "", body = "" }: PageStep): string[] =>
  on.startsWith("css=") ? [text, body] : [on, text, body];

/** Matches a text as a whole word. */
export const wholeWord = (text: string, flags = "u"): RegExp =>
  new RegExp(
    `(?<![\\p{L}\\p{N}])${text.replace(/[\\^$.*+?()[\]{}|/]/g, String.raw`\$&`)}(?![\\p{L}\\p{N}])`,
    flags,
  );
