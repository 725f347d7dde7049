/** A line that is longer is of nobody who speaks here. Characters. */
const LONGEST = 1_024;

/** @returns takes what comes in pieces, and calls `onLine` with each whole line, without its end */
export function createLineReader(options: {
  onLine(line: string): void;
  onTooLong(): void;
}): (piece: string) => void {
  let rest = "";
  return (piece) => {
    const lines = (rest + piece).split("\n");
    rest = lines.pop()!;
    if (rest.length > LONGEST) return options.onTooLong();
    for (const line of lines) options.onLine(line);
  };
}
