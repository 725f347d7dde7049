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
export class TextFile {
  readonly text: string;
  readonly lines: readonly string[];
  /** Has several line endings. */
  readonly isMixed: boolean;
  /** How often all of the text was searched through. */
  searches = 0;
  readonly #starts: number[] = [];
  readonly #indexes = new Map<number, LineIndex>();
  #words: Map<string, number[]> | undefined;

  /** @param ending one character. */
  constructor(text: string, ending: string | RegExp = "\n") {
    this.text = text;
    this.lines = text.split(ending);
    this.isMixed = text.includes("\r\n");
    let start = 0;
    for (const line of this.lines) {
      this.#starts.push(start);
      start += line.length + 1;
    }
  }

  /** Where a line begins; for the one behind the last, the text's end and one more. */
  startOf(line: number): number {
    return this.#starts[line] ?? this.text.length + 1;
  }

  /** The line in which a character stands. */
  lineAt(character: number): number {
    return searchSorted(this.#starts, (start) => start <= character) - 1;
  }

  index(kind: number): LineIndex {
    let index = this.#indexes.get(kind);
    if (index) return index;
    index = { lines: [], keys: [], where: new Map() };
    const keyOf = KEYS[kind]!;
    for (let line = 0; line < this.lines.length; line++) {
      const key = keyOf(this.lines[line]!);
      if (key === "") continue;
      add(index.where, key, index.keys.length);
      index.keys.push(key);
      index.lines.push(line);
    }
    this.#indexes.set(kind, index);
    return index;
  }

  /** The lines that have a word. */
  linesWith(word: string): readonly number[] {
    if (!this.#words) {
      this.#words = new Map();
      for (let line = 0; line < this.lines.length; line++) {
        for (const one of wordsOf(this.lines[line]!)) add(this.#words, one, line);
      }
    }
    return this.#words.get(word) ?? [];
  }
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
