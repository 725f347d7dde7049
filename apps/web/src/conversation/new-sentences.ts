/** Code that stands in a text by itself is not read aloud: it is in the file, or can be read where it stands. */
const CODE = /```[^]*?(?:```|$)/g;

/**
 * The sentences of a text that are whole and were not told yet.
 * @param announcedChars characters of it that were told
 * @param ended whether nothing more comes: what is left is a sentence, too
 * @returns them, and how many characters are told with them
 */
export function newSentences(
  text: string,
  announcedChars: number,
  ended: boolean,
): { sentences: string[]; announcedChars: number } {
  const left = text.slice(announcedChars);
  // A block of code that goes on is waited for.
  const open = left.lastIndexOf("```");
  const fences = left.split("```").length - 1;
  const known = !ended && fences % 2 === 1 ? left.slice(0, open) : left;
  const segments = [...new Intl.Segmenter(undefined, { granularity: "sentence" }).segment(known)];
  const isWhole = known.slice(known.trimEnd().length).includes("\n");
  if (!ended && !isWhole) segments.pop();
  const length = segments.reduce((sum, { segment }) => sum + segment.length, 0);
  const sentences = known
    .slice(0, length)
    .replace(CODE, "\n")
    .split(/\n+/)
    .flatMap((line) => [
      ...new Intl.Segmenter(undefined, { granularity: "sentence" }).segment(line),
    ])
    .map(({ segment }) =>
      segment
        .replace(/[#*_`>|]+/g, " ")
        .replace(/\s+/g, " ")
        .trim(),
    )
    .filter((sentence) => /[\p{L}\p{N}]/u.test(sentence));
  return { sentences, announcedChars: announcedChars + length };
}
