import { OVERLAP_LEAST, OVERLAP_LIMIT } from "./limits.ts";

/** `more`: it may still be a repetition. Otherwise what was written, and what of it stands in the text before. */
export type Compared = "more" | { text: string; repeated: number; beginning?: Beginning };

/** Where it began again before it went another way, and how many lines of that are the same. */
export interface Beginning {
  at: number;
  lines: number;
}

export interface Overlap {
  write(text: string): Compared;
  /** The request is over. */
  end(): Compared;
}

/**
 * Finds what a continuation repeats of the text before it: the longest end of that text that it begins with. Each place
 * where it may have begun again is compared piece by piece, so that nothing is held longer than there is a doubt.
 * @param beginnings of the answer, of the content that is open: from there it may repeat more than the limit, or write
 * it anew. Nothing before the last one is repeated but from there.
 */
export function createOverlap(before: string, beginnings: readonly number[]): Overlap {
  const lineStart = before.lastIndexOf("\n") + 1;
  const first = Math.max(...beginnings, before.length - OVERLAP_LIMIT);
  const near = Array.from({ length: before.length - first }, (_, index) => first + index);
  let places = [...new Set([...beginnings, ...near])];
  let text = "";
  let repeated = 0;

  const compare = (piece: string) => {
    const read = text.length;
    text += piece;
    places = places.filter((place) => {
      const left = before.length - place - read;
      const part = piece.slice(0, left);
      if (!before.startsWith(part, place + read)) return false;
      if (part.length < left) return true;
      if (counts(place)) repeated = Math.max(repeated, before.length - place);
      return false;
    });
  };

  /** Whether what stands from there on can be no chance. */
  const counts = (place: number) => {
    const same = before.slice(place);
    const startsLine = beginnings.includes(place) || before[place - 1] === "\n";
    const cutLine = startsLine && before.slice(Math.max(lineStart, place)).trim() !== "";
    if (letters(same) < (cutLine ? 1 : OVERLAP_LEAST)) return false;
    // Of what comes several times over, nobody can tell whether this is once more.
    return !before.endsWith(same + same);
  };

  const begunAgain = (): Beginning | undefined => {
    for (const at of beginnings) {
      let length = 0;
      while (length < text.length && text[length] === before[at + length]) length++;
      const same = text.slice(0, length);
      const lines = same.split("\n").length - 1;
      if (lines > 0 && letters(same) >= OVERLAP_LEAST) return { at, lines };
    }
    return undefined;
  };
  const result = (): Compared => {
    const beginning = repeated > 0 ? undefined : begunAgain();
    return { text, repeated, ...(beginning ? { beginning } : {}) };
  };

  return {
    write(piece) {
      compare(piece);
      return places.length > 0 ? "more" : result();
    },
    end() {
      // It was cut again, or ended, within what it repeated.
      if (places.length > 0 && letters(text) >= OVERLAP_LEAST) repeated = text.length;
      return result();
    },
  };
}

function letters(text: string): number {
  return text.replaceAll(/\s/g, "").length;
}
