/**
 * Maximum lines per text. The merge compares equal lines (blank lines, brackets) with each other, so time grows with their
 * square.
 */
const MAX_MERGE_LINES = 10_000;

/** Whether merging these texts is fast enough not to block the page. */
export const canMerge = (...texts: readonly string[]): boolean =>
  texts.every(
    (text) =>
      text.length < 1_000_000 && text.split("\n", MAX_MERGE_LINES + 1).length <= MAX_MERGE_LINES,
  );
