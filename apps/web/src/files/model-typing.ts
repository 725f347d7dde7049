import { textSince, type Gathered } from "../fold/gathered.ts";

/** What the model's text is typed into. */
export interface TypedInto {
  type(text: string): void;
  /** Milliseconds between two pieces. @param more characters that came since the last piece */
  pace(length: number, more: number): number;
}

/** Types a growing text into an editor, in pieces that the editor keeps up with. */
export class ModelTyping {
  readonly #editor: TypedInto;
  /** Characters that were typed. */
  #shown = 0;
  /** When the last piece was typed, in milliseconds of the page's clock. */
  #last = 0;
  #timer: ReturnType<typeof setTimeout> | undefined;

  constructor(editor: TypedInto) {
    this.#editor = editor;
  }

  /** A new text begins. */
  restart(): void {
    clearTimeout(this.#timer);
    this.#shown = 0;
    this.#last = 0;
  }

  /** Types what is new of the text, now or as soon as the editor keeps up with it. */
  follow(content: Gathered | undefined): void {
    if (!content || content.length <= this.#shown) return;
    clearTimeout(this.#timer);
    const more = content.length - this.#shown;
    const wait = this.#last + this.#editor.pace(content.length, more) - performance.now();
    if (wait > 0) {
      this.#timer = setTimeout(() => this.follow(content), wait);
      return;
    }
    this.#last = performance.now();
    this.#editor.type(textSince(content, this.#shown));
    this.#shown = content.length;
  }

  stop(): void {
    clearTimeout(this.#timer);
  }
}
