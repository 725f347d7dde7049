import type { ColouredPiece, Highlighter } from "./highlight.ts";
import type { LastLines } from "./last-lines.ts";
import type { ShownLines } from "./shown-lines.ts";

/** Time between two passes, in milliseconds. */
const PACE_MS = 200;
/** A pass colours nothing if more characters than this arrived since the last one, as they scroll by unread. */
const MAX_UNREAD_CHARS = 4_000;

/** Colours the last lines of a text while it is written: each complete line once, while it is visible. */
export class LineColours {
  readonly #path: string;
  readonly #text: () => string;
  readonly #last: LastLines;
  readonly #shown: ShownLines;
  #highlighter: Promise<Highlighter | undefined> | undefined;
  #timer: ReturnType<typeof setTimeout> | undefined;
  #hasEnded = false;
  /** Characters received since the last pass. */
  #more = 0;
  /** Number of the last line that was coloured. */
  #done = 0;

  constructor(path: string, text: () => string, last: LastLines, shown: ShownLines) {
    this.#path = path;
    this.#text = text;
    this.#last = last;
    this.#shown = shown;
  }

  /** Call after text was added. @param more the number of added characters */
  follow(more: number): void {
    this.#more += more;
    if (!this.#hasEnded) this.#timer ??= setTimeout(() => void this.#pass(), PACE_MS);
  }

  stop(): void {
    this.#hasEnded = true;
    clearTimeout(this.#timer);
  }

  async #pass(): Promise<void> {
    const isTooFast = this.#more > MAX_UNREAD_CHARS;
    this.#more = 0;
    if (!isTooFast && !(await this.#colourLines())) this.#hasEnded = true;
    this.#timer = undefined;
    // Lines that arrived meanwhile, or too fast, are coloured once they can be parsed.
    if (isTooFast || this.#more > 0) this.follow(0);
  }

  /** Colours the complete lines that have no colours yet. @returns false if the text cannot be coloured */
  async #colourLines(): Promise<boolean> {
    const lines = this.#last.lines.slice(0, -1).filter(({ number }) => number > this.#done);
    const [first, end] = [lines[0], lines.at(-1)];
    if (!first || !end) return true;
    this.#highlighter ??= import("./highlight.ts").then(({ createHighlighter }) =>
      createHighlighter(this.#path.slice(this.#path.lastIndexOf(".") + 1)),
    );
    const highlighter = await this.#highlighter.catch(() => undefined);
    const text = this.#text().slice(0, end.start + end.text.length + 1);
    const pieces = await highlighter?.highlight(text, first.start);
    if (!pieces || this.#hasEnded) return false;
    this.#done = end.number;
    this.#shown.colour(first.number, splitLines(pieces).slice(0, lines.length));
    return true;
  }
}

/** The pieces of each line, without line feeds. */
export function splitLines(pieces: readonly ColouredPiece[]): ColouredPiece[][] {
  const lines: ColouredPiece[][] = [[]];
  for (const piece of pieces) {
    if (piece.text === "\n") lines.push([]);
    else lines.at(-1)!.push(piece);
  }
  return lines;
}
