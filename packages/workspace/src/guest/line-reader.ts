/** Default maximum length of a line, in characters; callers with longer lines pass their own. */
const LONGEST = 1_024;

/**
 * Splits chunks of text into lines.
 * @param options.longest maximum length of a line, in characters; default 1,024
 * @returns a function that takes chunks and calls `onLine` with each complete line, without its line end
 */
export function createLineReader(options: {
  longest?: number;
  onLine(line: string): void;
  onTooLong(): void;
}): (piece: string) => void {
  const { longest = LONGEST } = options;
  /** Chunks of the incomplete line; joined only at its end, because a long line arrives in many. */
  let pieces: string[] = [];
  let length = 0;
  return (piece) => {
    const [first = "", ...others] = piece.split("\n");
    pieces.push(first);
    length += first.length;
    for (const next of others) {
      if (length > longest) return options.onTooLong();
      const line = pieces.join("");
      pieces = [next];
      length = next.length;
      options.onLine(line);
    }
    if (length > longest) options.onTooLong();
  };
}
