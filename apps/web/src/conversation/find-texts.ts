import { holdsContent, toolKind } from "@treadle/protocol/tools";
import { callTitle } from "../fold/call-title.ts";
import { textOf } from "../fold/gathered.ts";
import { callWords } from "../fold/phase.ts";
import { stepLines, type StepLine } from "../fold/step-lines.ts";
import type { CallItem, Turn } from "../fold/types.ts";

/** A searchable text of the conversation. */
export interface LineText {
  /** The line that shows it, as in `data-line`. */
  line: string;
  /** The enclosing line, which must be open to show it. */
  within?: string;
  /** Whether the line shows it only when open. */
  isHidden: boolean;
  text: string;
}

/** One match. */
export interface FoundText extends Omit<LineText, "text"> {
  message: string;
  /** The index of the match in its line, from 0. */
  nth: number;
}

/** Maximum number of listed matches. */
const MAX_FOUND = 2_000;

/** The key of a line within its turn; it stays the same while the line grows. */
export function lineKey(line: StepLine, index: number): string {
  switch (line.kind) {
    case "call":
      return line.item.call;
    case "calls":
      // The key of the first call, so that a folding line keeps its identity.
      return line.key;
    default:
      return `${line.kind}-${index}`;
  }
}

/** The name of a line, unique in the conversation. */
export const lineName = (turn: Pick<Turn, "message">, key: string): string =>
  `${turn.message} ${key}`;

/** Finds up to `MAX_FOUND` matches in all turns, whether drawn or not, in the order of the conversation. */
export function findInTurns(turns: readonly Turn[], expression: RegExp): FoundText[] {
  const found: FoundText[] = [];
  for (const turn of turns) {
    const counts = new Map<string, number>();
    for (const { text, ...rest } of textsOf(turn))
      for (const _ of text.matchAll(expression)) {
        const nth = counts.get(rest.line) ?? 0;
        counts.set(rest.line, nth + 1);
        found.push({ ...rest, message: turn.message, nth });
        if (found.length === MAX_FOUND) return found;
      }
  }
  return found;
}

/** The texts of turns, cached while a query is typed, which is possible because a turn is immutable. */
const known = new WeakMap<Turn, readonly LineText[]>();

function textsOf(turn: Turn): readonly LineText[] {
  let texts = known.get(turn);
  if (!texts) known.set(turn, (texts = readTexts(turn)));
  return texts;
}

function readTexts(turn: Turn): LineText[] {
  const texts: LineText[] = [];
  const add = (key: string, text: string, isHidden = false, within?: string) => {
    if (text === "") return;
    const around = within === undefined ? {} : { within: lineName(turn, within) };
    texts.push({ line: lineName(turn, key), ...around, isHidden, text });
  };
  add("message", turn.text);
  if (turn.toCarryOut !== undefined) add("message", plainMarkdown(turn.toCarryOut));
  for (const [index, line] of stepLines(turn.items).entries()) {
    const key = lineKey(line, index);
    switch (line.kind) {
      case "text":
        add(key, plainMarkdown(textOf(line.item.text)));
        break;
      case "said":
        add(key, line.item.text);
        break;
      case "reasoning":
        add(key, textOf(line.item.text), true);
        break;
      case "repair":
        add(key, line.item.reason, true);
        break;
      case "group":
        add(key, line.item.title);
        break;
      case "call":
        add(key, titleOf(line.item));
        add(key, detailsOf(line.item), true);
        break;
      case "calls":
        for (const call of line.items) {
          add(innerKey(call), titleOf(call), false, key);
          add(innerKey(call), detailsOf(call), true, key);
        }
        break;
    }
  }
  const { end } = turn;
  if (end && end.verdict !== "failed") {
    add("end", end.said?.done ?? "");
    add("end", end.said?.try ?? "");
  }
  return texts;
}

/** The key of a call within a line of several calls. */
export const innerKey = ({ call }: Pick<CallItem, "call">): string => `in-${call}`;

const titleOf = (call: CallItem): string => callTitle(call) ?? callWords(call);

/**
 * The text that a call's line shows when open, without file contents, which are found in the files.
 */
function detailsOf({ tool, status, input, output, result, answer }: CallItem): string {
  const command = input?.["command"];
  const isToldByTitle = status === "ok" && (holdsContent(tool) || toolKind(tool) === "runs");
  return [
    typeof command === "string" ? `$ ${command}` : "",
    output ? textOf(output) : "",
    isToldByTitle ? "" : (result ?? ""),
    answer ?? "",
  ]
    .filter((text) => text !== "")
    .join("\n");
}

/** Markdown approximately as displayed: without its marks and link addresses. */
export const plainMarkdown = (text: string): string =>
  text
    .replaceAll(/!?\[([^[\]\n]{0,500})\]\([^()\s]{0,2000}\)/g, "$1")
    .replaceAll(/^```.*$/gm, "")
    .replaceAll(/^(?:#{1,6}|>) /gm, "")
    .replaceAll(/[*`]+|__|~~/g, "");
