/** How a stream is cut into socket writes. */
export interface Chunking {
  /** Bytes of the shortest and the longest piece. */
  min: number;
  max: number;
  /** The same seed cuts at the same places. */
  seed: number;
}

/**
 * Cuts bytes wherever it falls: inside a line, inside a UTF-8 character, over the border of two events. What has not
 * filled a piece is handed out as well, so that nothing waits for the next event.
 */
export function createCutter(chunking: Chunking): (bytes: Uint8Array) => Uint8Array[] {
  let state = chunking.seed >>> 0;
  const next = (): number => {
    // A linear congruential generator (Numerical Recipes): plenty for choosing lengths.
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
    return chunking.min + (state % (chunking.max - chunking.min + 1));
  };
  return (bytes) => {
    const pieces: Uint8Array[] = [];
    let start = 0;
    while (start < bytes.length) {
      const end = Math.min(bytes.length, start + next());
      pieces.push(bytes.subarray(start, end));
      start = end;
    }
    return pieces;
  };
}
