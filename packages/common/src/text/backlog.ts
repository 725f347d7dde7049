/** Old text is dropped in pieces of this many characters. */
const PIECE = 32 * 1024;

/** The end of a growing text, addressed by position: the first character ever added is 0. */
export interface TextBacklog {
  /** Position of the oldest stored character. After older text was dropped, it is the start of a line. */
  readonly begin: number;
  /** Position after the last character. */
  readonly end: number;
  /**
   * Returns the text from a position on; dropped text is skipped. @param most maximum number of characters; absent: all
   * that are stored
   */
  slice(from: number, most?: number): string;
}

/**
 * Keeps at least the last `least` characters, except for an incomplete first line; adding takes
 * time in proportion to the added text.
 */
export function createBacklog(least: number): TextBacklog & {
  add(text: string): void;
  /** Drops everything before a position. */
  dropBefore(place: number): void;
} {
  let pieces: string[] = [];
  /** Start position of each piece. */
  let starts: number[] = [];
  let end = 0;
  let begin = 0;

  function put(text: string): void {
    const last = pieces.length - 1;
    if (last >= 0 && pieces[last]!.length < PIECE) pieces[last] += text;
    else {
      pieces.push(text);
      starts.push(end);
    }
    end += text.length;
  }

  /** The last piece that starts at or before a position. */
  function pieceAt(place: number): number {
    let low = 0;
    let high = starts.length - 1;
    while (low < high) {
      const middle = (low + high + 1) >> 1;
      if (starts[middle]! <= place) low = middle;
      else high = middle - 1;
    }
    return low;
  }

  function drop(): void {
    let count = 0;
    while (count + 1 < starts.length && end - starts[count + 1]! >= least) count++;
    if (count === 0) return;
    pieces = pieces.slice(count);
    starts = starts.slice(count);
    // Skips the rest of a cut line or escape sequence.
    const line = pieces[0]!.indexOf("\n");
    begin = Math.max(begin, starts[0]! + line + 1);
  }

  return {
    get begin() {
      return begin;
    },
    get end() {
      return end;
    },
    add(text) {
      for (let at = 0; at < text.length; at += PIECE) put(text.slice(at, at + PIECE));
      // Allows a quarter more before dropping anything, so that text is not moved with each new piece.
      if (starts.length > 0 && end - starts[0]! > least * 1.25) drop();
    },
    dropBefore(place) {
      begin = Math.min(end, Math.max(begin, place));
      if (begin < end) return;
      pieces = [];
      starts = [];
    },
    slice(from, most = Number.POSITIVE_INFINITY) {
      const first = Math.max(from, begin);
      const until = Math.min(end, first + most);
      const found: string[] = [];
      for (let at = pieceAt(first), place = first; place < until; at++) {
        const piece = pieces[at]!.slice(place - starts[at]!, until - starts[at]!);
        found.push(piece);
        place += piece.length;
      }
      return found.join("");
    },
  };
}
