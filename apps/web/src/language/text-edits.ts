import type { Text } from "@codemirror/state";
import type { Position, Range, TextEdit } from "vscode-languageserver-protocol";

/** The offset of a position in a text, in characters; undefined if it is outside the text. */
export function offsetOf(doc: Text, position: Position): number | undefined {
  const { line, character } = position ?? {};
  if (!Number.isInteger(line) || !Number.isInteger(character)) return undefined;
  if (line < 0 || character < 0) return undefined;
  // The end of the last line may be given as the start of the line after it.
  if (line === doc.lines && character === 0) return doc.length;
  if (line >= doc.lines) return undefined;
  const at = doc.line(line + 1);
  return Math.min(at.from + character, at.to);
}

export interface Change {
  from: number;
  to: number;
  insert: string;
}

/** The changes made by edits, in document order; undefined if an edit is invalid or two overlap. */
export function changesOf(doc: Text, edits: readonly TextEdit[]): Change[] | undefined {
  if (!Array.isArray(edits)) return undefined;
  const changes: Change[] = [];
  for (const edit of edits) {
    const place = rangeOf(doc, edit?.range);
    if (!place || typeof edit.newText !== "string") return undefined;
    changes.push({ ...place, insert: edit.newText });
  }
  const sorted = changes.toSorted((a, b) => a.from - b.from || a.to - b.to);
  const overlap = sorted.some((change, index) => change.from < (sorted[index - 1]?.to ?? 0));
  return overlap ? undefined : sorted;
}

export function rangeOf(
  doc: Text,
  range: Range | undefined,
): { from: number; to: number } | undefined {
  if (!range) return undefined;
  const [from, to] = [offsetOf(doc, range.start), offsetOf(doc, range.end)];
  return from === undefined || to === undefined || to < from ? undefined : { from, to };
}
