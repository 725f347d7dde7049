import { type TextFile, wordsOf } from "./text-file.ts";

/** Maximum number of lines shown: enough to copy the right text from. */
const SHOWN_LINES = 12;
/** Maximum number of characters shown, for long lines. */
const SHOWN_CHARACTERS = 1_200;

/** The lines of the file most similar to the old text; undefined if nothing is similar. */
export function findNearest(
  file: TextFile,
  old: string,
): { nearest: string; line: number } | undefined {
  const searched = old.trimEnd().split("\n");
  // Score of each line by the words it shares; a frequent word counts little.
  const scores = new Float64Array(file.lines.length);
  for (const word of new Set(searched.flatMap(wordsOf))) {
    const found = file.linesWith(word);
    for (const line of found) scores[line]! += 1 / found.length;
  }
  const height = Math.min(searched.length, SHOWN_LINES);
  let sum = 0;
  let best = { sum: 0, from: 0 };
  for (let index = 0; index < scores.length; index++) {
    sum += scores[index]! - (scores[index - height] ?? 0);
    if (sum > best.sum + 1e-9) best = { sum, from: Math.max(0, index - height + 1) };
  }
  if (best.sum === 0) return undefined;
  const shown = showLines(file, best.from, height);
  const line = file.lines[best.from]!;
  if (line.length <= SHOWN_CHARACTERS) return shown;
  // For a very long line, the part with the longest shared word is shown.
  const words = searched.flatMap(wordsOf).toSorted((a, b) => b.length - a.length);
  const at = line.indexOf(words.find((word) => line.includes(word)) ?? "");
  const from = Math.max(0, at - SHOWN_CHARACTERS / 2);
  return { ...shown, nearest: line.slice(from, from + SHOWN_CHARACTERS) };
}

/** Lines as they are in the file, limited. `from` counts from 0. */
export function showLines(
  file: TextFile,
  from: number,
  height: number,
): { nearest: string; line: number } {
  const lines = file.lines.slice(from, from + Math.min(height, SHOWN_LINES));
  return { nearest: lines.join("\n").slice(0, SHOWN_CHARACTERS), line: from + 1 };
}
