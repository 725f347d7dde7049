/** Matches code blocks, which are not announced: the code is in a file or can be read in the conversation. */
const CODE = /```[^]*?(?:```|$)/g;

/**
 * The complete sentences of a text that have not been announced yet.
 * @param announcedChars characters already announced
 * @param ended whether the text is complete, so that the remainder counts as a sentence
 * @returns the sentences, and the number of characters announced with them
 */
export function newSentences(
  text: string,
  announcedChars: number,
  ended: boolean,
): { sentences: string[]; announcedChars: number } {
  const rest = text.slice(announcedChars);
  // Waits for the end of an unfinished code block.
  const open = rest.lastIndexOf("```");
  const fences = rest.split("```").length - 1;
  const known = !ended && fences % 2 === 1 ? rest.slice(0, open) : rest;
  const segments = [...new Intl.Segmenter(undefined, { granularity: "sentence" }).segment(known)];
  const isComplete = known.slice(known.trimEnd().length).includes("\n");
  if (!ended && !isComplete) segments.pop();
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
