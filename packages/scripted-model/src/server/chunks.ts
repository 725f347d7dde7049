/** How a stream is split into socket writes. */
export interface Chunking {
  /** Minimum and maximum length of a piece, in bytes. */
  min: number;
  max: number;
  /** The same seed splits at the same positions. */
  seed: number;
}

/**
 * Splits bytes anywhere: inside a line, inside a UTF-8 character, across two events. An incomplete
 * piece is returned as well, so that nothing waits for the next event.
 */
export function createCutter(chunking: Chunking): (bytes: Uint8Array) => Uint8Array[] {
  let state = chunking.seed >>> 0;
  const next = (): number => {
    // A linear congruential generator (Numerical Recipes): sufficient for choosing lengths.
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
