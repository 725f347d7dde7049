import { lastWordsAt } from "./repeated-end.ts";
import { letters } from "./letters.ts";
import { LINE_LEAST, OVERLAP_LEAST, OVERLAP_LIMIT } from "./limits.ts";

/**
 * `more`: undecided, as the text may still be a repetition. Otherwise the text written, and how much of it the earlier
 * text already contains.
 */
export type Compared = "more" | { text: string; repeated: number; beginning?: Beginning };

/** Where a repetition began before it diverged, and the length of the equal part. */
export interface Beginning {
  at: number;
  length: number;
  lines: number;
}

/** How far to search backwards for the start of a line, in characters. */
const BLANKS = 64;

export interface Overlap {
  write(text: string): Compared;
  /** Call at the end of the request. */
  end(): Compared;
}

/**
 * Finds what a continuation repeats of the text before it: the longest end of that text that it begins with. Each place
 * where it may have begun again is compared piece by piece, so that text is held back only while it is undecided.
 * @param beginnings offsets of the answer and of the open content: a continuation from there may repeat more than the
 * limit, or diverge
 * @param leastOfLine characters of the cut line from which on a match is no coincidence
 */
export function createOverlap(
  before: string,
  beginnings: readonly number[],
  leastOfLine: number = LINE_LEAST,
): Overlap {
  const asked = lastWordsAt(before);
  const cutLine = before.slice(before.lastIndexOf("\n") + 1);
  // Leading white space is not compared: models drop it.
  const lineStart = before.length - cutLine.trimStart().length;
  const first = Math.max(0, before.length - OVERLAP_LIMIT);
  const near = Array.from({ length: before.length - first }, (_, index) => first + index);
  let places = [...new Set([...beginnings, ...near])];
  let text = "";
  let repeated = 0;
  /** Whether the repeated text may be a new piece that looks the same. */
  let isDoubtful = false;
  /** The continuation began with the last words, as requested. */
  let isAsked = false;

  const compare = (piece: string) => {
    const read = text.length;
    text += piece;
    places = places.filter((place) => {
      const left = before.length - place - read;
      const part = piece.slice(0, left);
      if (!before.startsWith(part, place + read)) return false;
      if (part.length < left) return true;
      if (place === asked) isAsked = true;
      if (counts(place) && before.length - place > repeated) {
        repeated = before.length - place;
        isDoubtful = !isSure(place);
      }
      return false;
    });
  };

  /** Whether a match at this position is certainly a repetition: at a beginning, or at the start of the cut line. */
  const isSure = (place: number) => beginnings.includes(place) || place === lineStart;
  /** Whether an overlap at this position is too long to be a coincidence. */
  const counts = (place: number) => {
    const same = before.slice(place);
    if (beginnings.includes(place)) return letters(same) >= leastOfLine;
    const startsLine = /(?:^|\n)[ \t]*$/.test(before.slice(Math.max(0, place - BLANKS), place));
    const hasCutLine = startsLine && cutLine.trim() !== "";
    if (letters(same) < (hasCutLine ? leastOfLine : OVERLAP_LEAST)) return false;
    // For text that occurs several times, it is unknown whether this is a repetition.
    return place === lineStart || (!before.endsWith(same + same) && !isRegular(same));
  };

  const begunAgain = (): Beginning | undefined => {
    for (const at of beginnings) {
      let length = 0;
      while (length < text.length && text[length] === before[at + length]) length++;
      const same = text.slice(0, length);
      const lines = same.split("\n").length - 1;
      if (lines > 0 && letters(same) >= OVERLAP_LEAST) return { at, length, lines };
    }
    return undefined;
  };
  const result = (): Compared => {
    const beginning = begunAgain();
    const isLonger = beginning !== undefined && beginning.length > repeated;
    return { text, repeated, beginning: isLonger ? beginning : undefined };
  };

  return {
    write(piece) {
      compare(piece);
      if (isAsked) return { text, repeated: before.length - asked };
      if (places.length > 0) return "more";
      if (isDoubtful) {
        const behind = text.slice(repeated).trimStart().slice(0, repeated);
        if (!text.startsWith(behind)) isDoubtful = false;
        else if (behind.length < repeated) return "more";
        else repeated = 0;
      }
      return result();
    },
    end() {
      if (isAsked) return { text, repeated: before.length - asked };
      // It restarted from a beginning and was truncated again before it reached the first truncation.
      const isBehind = places.some((place) => beginnings.includes(place));
      if (isBehind && letters(text) >= OVERLAP_LEAST) repeated = text.length;
      return result();
    },
  };
}

/** Whether the text repeats one piece twice or more, the last time perhaps incompletely. */
function isRegular(text: string): boolean {
  for (let piece = 1; piece <= text.length / 2; piece++)
    if (text.startsWith(text.slice(piece))) return true;
  return false;
}
