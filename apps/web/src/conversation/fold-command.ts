import { words } from "../words/words.ts";
/** Lines and characters of a command that are shown before it is unfolded. */
const LINES = 6;
const CHARACTERS = 480;
/** So many spaces on end push what follows out of sight. */
const GAP = /[^\S\n]{13,}/g;
/** Empty lines that are shown as such; more of them are told by their number. */
const EMPTY = 1;

export interface FoldedCommand {
  /** What is shown: a line of the command, or how many empty ones were there. */
  rows: { kind: "line" | "empty"; text: string }[];
  /** What is not shown, in words; absent where all of it is. */
  more?: string;
}

/** A command so that nothing of it is out of sight unsaid: what is empty takes no room, what is left out is counted. */
export function foldCommand(command: string, isUnfolded: boolean): FoldedCommand {
  const rows: FoldedCommand["rows"] = [];
  const lines = linesOf(command);
  let at = 0;
  let empty = 0;
  let left = isUnfolded ? Infinity : CHARACTERS;
  const tellEmpty = () => {
    if (empty > EMPTY)
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
    if (!isUnfolded && (left <= 0 || rows.length >= LINES)) break;
    tellEmpty();
    const shown = line.replace(
      GAP,
      (gap) => ` [${words.conversation.spaces({ amount: gap.length })}] `,
    );
    if (shown.length > left) {
      const hidden = shown.length - left + rest(lines, at + 1);
      rows.push({ kind: "line", text: `${shown.slice(0, left)}…` });
      return { rows, more: words.conversation.moreCharacters({ amount: hidden }) };
    }
    rows.push({ kind: "line", text: shown });
    left -= shown.length;
  }
  const hidden = lines.slice(at).filter((line) => line.trim() !== "").length;
  if (hidden === 0) return { rows };
  return { rows, more: words.conversation.moreLines({ amount: hidden }) };
}

/** How many lines of a command say something. */
export const linesSaid = (command: string): number =>
  linesOf(command).filter((line) => line.trim() !== "").length;

const linesOf = (command: string) => command.trimEnd().split(/\r\n|[\n\r\v\f\u0085\u2028\u2029]/);

const rest = (lines: readonly string[], from: number) =>
  lines.slice(from).reduce((sum, line) => sum + line.length, 0);
