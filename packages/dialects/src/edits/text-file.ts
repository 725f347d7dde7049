import { KEYS } from "./keys.ts";

/** A half-open range of characters, or of lines. */
export interface Span {
  from: number;
  to: number;
}

/** The lines that are not blank to one kind of forgiveness, in order, and where each key stands among them. */
interface LineIndex {
  /** Numbers of the lines, from 0. */
  lines: number[];
  keys: string[];
  where: Map<string, number[]>;
}

const WORD = /[\p{L}\p{N}_$]+/gu;

/** A text, its lines and what is needed to find some in it, each made once when it is asked for. Nothing changes. */
export interface TextFile {
  readonly text: string;
  readonly lines: readonly string[];
  /** Has several line endings. */
  readonly isMixed: boolean;
  /** How often all of the text was searched through. */
  searches: number;
  /** Where a line begins; for the one behind the last, the text's end and one more. */
  startOf(line: number): number;
  /** The line in which a character stands. */
  lineAt(character: number): number;
  index(kind: number): LineIndex;
  /** The lines that have a word. */
  linesWith(word: string): readonly number[];
}

/** @param ending one character. */
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

/** How many items from the first on pass; those that do not come behind those that do. */
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
