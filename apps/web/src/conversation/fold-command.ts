import { words } from "../words/words.ts";
/** Lines and characters of a command that are shown before it is unfolded. */
const MAX_LINES = 6;
const MAX_CHARS = 480;
/** Matches a run of spaces so long that it could push the rest of the line out of sight. */
const GAP = /[^\S\n]{13,}/g;
/** Number of consecutive empty lines that are shown; more of them are counted. */
const MAX_EMPTY_LINES = 1;

export interface FoldedCommand {
  /** The shown rows: lines of the command, and counts of empty lines. */
  rows: { kind: "line" | "empty"; text: string }[];
  /** Describes what is not shown; undefined if everything is. */
  more?: string;
}

/**
 * Folds a command without hiding anything silently: omitted lines, and empty lines in a row, are replaced by their
 * count.
 */
export function foldCommand(command: string, isUnfolded: boolean): FoldedCommand {
  const rows: FoldedCommand["rows"] = [];
  const lines = linesOf(command);
  let at = 0;
  let empty = 0;
  let remainingChars = isUnfolded ? Infinity : MAX_CHARS;
  const addEmptyLines = () => {
    if (empty > MAX_EMPTY_LINES)
      rows.push({ kind: "empty", text: words.conversation.emptyLines({ amount: empty }) });
    else if (empty > 0) rows.push({ kind: "line", text: "" });
    empty = 0;
  };
  for (; at < lines.length; at++) {
    const line = lines[at] ?? "";
    if (line.trim() === "") {
      empty++;
      continue;
    }
    if (!isUnfolded && (remainingChars <= 0 || rows.length >= MAX_LINES)) break;
    addEmptyLines();
    const shown = line.replace(
      GAP,
      (gap) => ` [${words.conversation.spaces({ amount: gap.length })}] `,
    );
    if (shown.length > remainingChars) {
      const hidden = shown.length - remainingChars + rest(lines, at + 1);
      rows.push({ kind: "line", text: `${shown.slice(0, remainingChars)}…` });
      return { rows, more: words.conversation.moreCharacters({ amount: hidden }) };
    }
    rows.push({ kind: "line", text: shown });
    remainingChars -= shown.length;
  }
  const hidden = lines.slice(at).filter((line) => line.trim() !== "").length;
  if (hidden === 0) return { rows };
  return { rows, more: words.conversation.moreLines({ amount: hidden }) };
}

/** The number of lines that are not empty. */
export const countNonEmptyLines = (command: string): number =>
  linesOf(command).filter((line) => line.trim() !== "").length;

const linesOf = (command: string) => command.trimEnd().split(/\r\n|[\n\r\v\f\u0085\u2028\u2029]/);

const rest = (lines: readonly string[], from: number) =>
  lines.slice(from).reduce((sum, line) => sum + line.length, 0);
