/** A line that is longer is of nobody who speaks here, unless they say so. Characters. */
const LONGEST = 1_024;

/**
 * @param options.longest characters of a line; default 1,024
 * @returns takes what comes in pieces, and calls `onLine` with each whole line, without its end
 */
export function createLineReader(options: {
  longest?: number;
  onLine(line: string): void;
  onTooLong(): void;
}): (piece: string) => void {
  const { longest = LONGEST } = options;
  /** Of the line that has not ended yet; joined once it has, since a long one comes in many pieces. */
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
