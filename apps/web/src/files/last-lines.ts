import { visibleProse } from "@treadle/protocol/safe-text";

/** Longer lines are cut; a line of generated code can have 100,000 characters. */
const MAX_LINE_CHARS = 500;

/** The last lines of a growing text, with their numbers. */
export class LastLines {
  #lines: string[] = [""];
  #count = 1;
  /** Maximum number of lines. */
  room: number;

  constructor(room: number) {
    this.room = room;
  }

  append(text: string): void {
    const [first = "", ...more] = text.split("\n");
    this.#lines[this.#lines.length - 1] += first;
    this.#count += more.length;
    for (const line of more.slice(-this.room)) this.#lines.push(line);
    this.#lines = this.#lines.slice(-this.room);
  }

  /** The lines and their numbers, each joined by line feeds. */
  drawn(): { text: string; numbers: string } {
    const from = this.#count - this.#lines.length + 1;
    return {
      text: this.#lines.map((line) => visibleProse(line.slice(0, MAX_LINE_CHARS))).join("\n"),
      numbers: this.#lines.map((_, index) => from + index).join("\n"),
    };
  }
}
