import { visibleProse } from "@treadle/protocol/safe-text";

/** Maximum characters shown of a line; a line of generated code can have 100,000. */
const MAX_LINE_CHARS = 500;

/** A line of a text. */
export interface Line {
  /** Counted from 1. */
  number: number;
  /** Where it begins in the text. */
  start: number;
  text: string;
}

/** A piece of a line as it is shown. */
export const shownLine = (text: string): string => visibleProse(text.slice(0, MAX_LINE_CHARS));

/** The last lines of a growing text. The last one may still grow. */
export class LastLines {
  #lines: Line[] = [{ number: 1, start: 0, text: "" }];
  /** Maximum number of lines. */
  room: number;

  constructor(room: number) {
    this.room = room;
  }

  get lines(): readonly Line[] {
    return this.#lines;
  }

  append(text: string): void {
    const [first = "", ...more] = text.split("\n");
    let last = this.#lines.at(-1)!;
    last = { ...last, text: last.text + first };
    this.#lines[this.#lines.length - 1] = last;
    for (const line of more) {
      last = { number: last.number + 1, start: last.start + last.text.length + 1, text: line };
      this.#lines.push(last);
    }
    this.#lines = this.#lines.slice(-this.room);
  }
}
