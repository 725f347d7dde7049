import { letters } from "./letters.ts";
import { LAST_WORDS_LEAST, LAST_WORDS_MOST } from "./limits.ts";

/**
 * The beginning of the last words of a text that was cut off: a continuation repeats them, so that
 * it can be joined at the right position, with the white space that models drop at the beginning of
 * an answer. They start at a line's beginning if it is not too long, and are long enough to be
 * recognised.
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
