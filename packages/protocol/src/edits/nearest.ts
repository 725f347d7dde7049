import type { EditDocument } from "./document.ts";
import { lineKey } from "./keys.ts";

/** Lines shown at most: enough to copy the right text from, not the whole file. */
const SHOWN_LINES = 12;
/** Characters shown at most, where lines are long. */
const SHOWN_CHARACTERS = 1_200;

/** The lines of the file that have most in common with the old text; undefined where nothing is near. */
export function findNearest(
  document: EditDocument,
  old: string,
): { nearest: string; line: number } | undefined {
  const wanted = old.split("\n").filter((line) => line.trim() !== "");
  if (wanted.length === 0) return undefined;
  const wantedKeys = new Set(wanted.map(lineKey.loose));
  const wantedWords = new Set(wanted.flatMap(wordsOf));
  const scores = document.keys("loose").map((key) => {
    if (key === "") return 0;
    if (wantedKeys.has(key)) return 2 + key.length / 1_000;
    const words = wordsOf(key);
    const shared = words.filter((word) => wantedWords.has(word)).length;
    return words.length === 0 ? 0 : shared / words.length;
  });
  const height = Math.min(old.replace(/\n$/, "").split("\n").length, SHOWN_LINES);
  let sum = 0;
  let best = { sum: 0, from: 0 };
  for (const [index, score] of scores.entries()) {
    sum += score - (scores[index - height] ?? 0);
    if (sum > best.sum + 1e-9) best = { sum, from: Math.max(0, index - height + 1) };
  }
  if (best.sum < 0.34) return undefined;
  return showLines(document, best.from, height);
}

/** Lines as they stand in the file, bounded. `from` counts from 0. */
export function showLines(
  document: EditDocument,
  from: number,
  height: number,
): { nearest: string; line: number } {
  const lines = document.lines.slice(from, from + Math.min(height, SHOWN_LINES));
  return { nearest: lines.join("\n").slice(0, SHOWN_CHARACTERS), line: from + 1 };
}

function wordsOf(line: string): string[] {
  return line.match(/[\p{L}\p{N}_$]{2,}/gu) ?? [];
}
