import type { ColouredPiece } from "./highlight.ts";
import { shownLine, type Line } from "./last-lines.ts";

/**
 * The last lines of a text in the page: coloured lines, one element each, followed by a single text
 * with all others, because a page draws one text faster than many.
 */
export class ShownLines {
  readonly #rest: Text;
  /** By number, in order. */
  readonly #coloured = new Map<number, HTMLElement>();
  #lines: readonly Line[] = [];

  constructor(parent: HTMLElement) {
    this.#rest = parent.appendChild(document.createTextNode(""));
  }

  draw(lines: readonly Line[]): void {
    this.#lines = lines;
    const first = lines[0]?.number ?? 0;
    for (const [number, element] of this.#coloured) {
      if (number >= first) break;
      element.remove();
      this.#coloured.delete(number);
    }
    const rest = lines.slice(this.#coloured.size);
    this.#rest.data = rest.map(({ text }) => shownLine(text)).join("\n");
  }

  /** Colours the lines from `number` on that are still shown, of which none has been coloured. */
  colour(number: number, lines: readonly (readonly ColouredPiece[])[]): void {
    for (const [index, pieces] of lines.entries()) {
      const next = this.#lines[this.#coloured.size]?.number;
      if (next !== number + index) continue;
      const element = colouredLine(pieces);
      this.#coloured.set(next, element);
      this.#rest.before(element);
    }
    this.draw(this.#lines);
  }
}

function colouredLine(pieces: readonly ColouredPiece[]): HTMLElement {
  const line = document.createElement("span");
  for (const { text, colour } of pieces) {
    if (colour === undefined) {
      line.append(shownLine(text));
      continue;
    }
    const span = document.createElement("span");
    span.style.color = `var(${colour})`;
    span.textContent = shownLine(text);
    line.append(span);
  }
  line.append("\n");
  return line;
}
