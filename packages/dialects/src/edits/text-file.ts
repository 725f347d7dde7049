import { KEYS } from "./keys.ts";

/** A half-open range of characters, or of lines. */
export interface Span {
  from: number;
  to: number;
}

/** The non-blank lines after normalisation, in order, and the positions of each key. */
interface LineIndex {
  /** Line numbers, from 0. */
  lines: number[];
  keys: string[];
  where: Map<string, number[]>;
}

const WORD = /[\p{L}\p{N}_$]+/gu;

/** A text with indexes of its lines, each built on first use. Immutable. */
export interface TextFile {
  readonly text: string;
  readonly lines: readonly string[];
  /** Whether it has mixed line endings. */
  readonly isMixed: boolean;
  /** How often the whole text was searched. */
  searches: number;
  /** Position of a line; for the one after the last, the text's end plus one. */
  startOf(line: number): number;
  /** The line that contains a character. */
  lineAt(character: number): number;
  index(kind: number): LineIndex;
  /** The lines that contain a word. */
  linesWith(word: string): readonly number[];
}

/** @param ending the line separator, one character */
export function createTextFile(text: string, ending: string | RegExp = "\n"): TextFile {
  const lines = text.split(ending);
  const starts: number[] = [];
  const indexes: LineIndex[] = [];
  let words: Map<string, number[]> | undefined;
  let start = 0;
  for (const line of lines) {
    starts.push(start);
    start += line.length + 1;
  }
  return {
    text,
    lines,
    isMixed: text.includes("\r\n"),
    searches: 0,
    startOf: (line) => starts[line] ?? text.length + 1,
    lineAt: (character) => searchSorted(starts, (at) => at <= character) - 1,
    index(kind) {
      let index = indexes[kind];
      if (index) return index;
      index = indexes[kind] = { lines: [], keys: [], where: new Map() };
      for (let number = 0; number < lines.length; number++) {
        const key = KEYS[kind]!(lines[number]!);
        if (key === "") continue;
        add(index.where, key, index.keys.length);
        index.keys.push(key);
        index.lines.push(number);
      }
      return index;
    },
    linesWith(word) {
      if (!words) {
        words = new Map();
        for (let number = 0; number < lines.length; number++)
          for (const one of wordsOf(lines[number]!)) add(words, one, number);
      }
      return words.get(word) ?? [];
    },
  };
}

export function wordsOf(text: string): string[] {
  return text.match(WORD) ?? [];
}

/** Binary search: the number of leading items that pass the test. */
export function searchSorted<T>(items: readonly T[], passes: (item: T) => boolean): number {
  let from = 0;
  let to = items.length;
  while (from < to) {
    const middle = (from + to) >> 1;
    if (passes(items[middle]!)) from = middle + 1;
    else to = middle;
  }
  return from;
}

function add(map: Map<string, number[]>, key: string, item: number): void {
  const items = map.get(key);
  if (!items) map.set(key, [item]);
  else if (items.at(-1) !== item) items.push(item);
}
