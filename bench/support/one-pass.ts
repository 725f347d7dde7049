/**
 * The least possible reader: searches each piece for a character, and keeps the piece. The baseline
 * of the figures.
 */
export function onePass(pieces: readonly string[]): number {
  let sink = 0;
  const out: string[] = [];
  for (const piece of pieces) {
    sink += piece.indexOf("<");
    out.push(piece);
  }
  return sink + out.join("").length;
}
