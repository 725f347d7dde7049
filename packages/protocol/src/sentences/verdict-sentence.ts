import { VERDICTS } from "./english/verdicts.ts";
import type { Sentence } from "./types.ts";
import { asSentence, sentencesOf } from "./write-sentence.ts";

/**
 * Creates a sentence of a verdict by its code. The page judges evidence too, and contains no other
 * English texts for it.
 */
export const verdictSentence = sentencesOf(VERDICTS);

/** Joins sentences into one. */
export function clauses(...parts: readonly (string | Sentence)[]): Sentence {
  const [only] = parts;
  return parts.length === 1 && only !== undefined
    ? asSentence(only)
    : verdictSentence("clauses", { parts });
}
