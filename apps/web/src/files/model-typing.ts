import { textSince, type Gathered } from "../fold/gathered.ts";

/** The editor that receives the model's text. */
export interface TypedInto {
  type(text: string): void;
  /** Milliseconds between two updates. @param more characters received since the last update */
  pace(length: number, more: number): number;
}

/** Types a growing text into an editor, in pieces that the editor can keep up with. */
export class ModelTyping {
  readonly #editor: TypedInto;
  /** Number of characters typed. */
  #shown = 0;
  /** Time of the last update, from the page's clock, in milliseconds. */
  #last = 0;
  #timer: ReturnType<typeof setTimeout> | undefined;

  constructor(editor: TypedInto) {
    this.#editor = editor;
  }

  /** Starts a new text. */
  restart(): void {
    clearTimeout(this.#timer);
    this.#shown = 0;
    this.#last = 0;
  }

  /** Types the new part of the text, now or as soon as the editor is ready for it. */
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
