import { letters } from "./letters.ts";
import { LAST_WORDS_LEAST, LAST_WORDS_MOST } from "./limits.ts";

/**
 * Where the last words of a text begin that was cut: a continuation begins with them once more, and so is joined where
 * it belongs, with the white space that models drop at the beginning of an answer. They begin with a line where that is
 * not too long, and are enough to be known again.
 */
export function lastWordsAt(text: string): number {
  let at = text.length;
  while (at > 0 && letters(text.slice(at)) < LAST_WORDS_LEAST) {
    at = text.lastIndexOf("\n", at - 2) + 1;
    if (text.length - at <= LAST_WORDS_MOST) continue;
    at = text.length - LAST_WORDS_MOST;
    at += Math.max(0, text.slice(at).search(/\s/));
    break;
  }
  return text.length - text.slice(at).trimStart().length;
}
