import { visibleProse } from "@treadle/protocol/safe-text";

/** A line is cut here: one that a program wrote has a hundred thousand characters. */
const LINE_KEPT = 500;

/** The last lines of a text that grows, each with its number. */
export class LastLines {
  #lines: string[] = [""];
  #count = 1;
  /** How many are kept. */
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

  /** As they are read, and their numbers, both one a line. */
  drawn(): { text: string; numbers: string } {
    const from = this.#count - this.#lines.length + 1;
    return {
      text: this.#lines.map((line) => visibleProse(line.slice(0, LINE_KEPT))).join("\n"),
      numbers: this.#lines.map((_, index) => from + index).join("\n"),
    };
  }
}
