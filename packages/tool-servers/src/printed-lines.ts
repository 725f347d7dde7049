import { headOf } from "@treadle/protocol/safe-text";
/** Of what a program printed: lines, and characters of each. */
const LINES = 6;
export const LINE = 300;

/** The end of what was printed, without empty lines. */
export const lastLines = (printed: string): string =>
  printed
    .split(/\r?\n/)
    .filter((line) => line.trim() !== "")
    .slice(-LINES)
    .map((line) => clip(line, LINE))
    .join("\n");

export const clip = (text: string, limit: number) =>
  text.length <= limit ? text : `${headOf(text, limit - 1)}…`;
