import { headOf } from "@treadle/protocol/safe-text";
/** Maximum number of lines of a program's output, and of characters in each. */
const LINES = 6;
export const LINE = 300;

/** The last lines of output, without empty ones. */
export const lastLines = (printed: string): string =>
  printed
    .split(/\r?\n/)
    .filter((line) => line.trim() !== "")
    .slice(-LINES)
    .map((line) => clip(line, LINE))
    .join("\n");

export const clip = (text: string, limit: number) =>
  text.length <= limit ? text : `${headOf(text, limit - 1)}…`;
