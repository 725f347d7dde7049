import type { PageStep } from "@treadle/protocol/checks";

/** Fields whose text asks for what there is: nothing is added by it. */
const ASKS = /^(?:searchbox|combobox)\b/;

/** A field and what is typed into it, in a check that then expects this text to be shown. */
export interface TypedText {
  /** As it is written in the step. */
  text: string;
  /** Indices of the expectations, after the step that types it, that name it. */
  expectedAt: number[];
}

/**
 * The texts that a check types and then expects the page to show, other than in the field itself. What is typed into a
 * search field is left out: such a check reads, and adds nothing.
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

/** What a step names that is not the program's own, as a selector is. */
export const wordsOf = ({ on = "", text = "" }: PageStep): string[] =>
  on.startsWith("css=") ? [text] : [on, text];

/** A text where it stands by itself, and not within a longer word. */
export const wholeWord = (text: string, flags = "u"): RegExp =>
  new RegExp(
    `(?<![\\p{L}\\p{N}])${text.replace(/[\\^$.*+?()[\]{}|/]/g, String.raw`\$&`)}(?![\\p{L}\\p{N}])`,
    flags,
  );
