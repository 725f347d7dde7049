import { isWhite } from "./tags.ts";

/**
 * The content of one action as it streams. Of a file, one line break after the opening tag is dropped and the white
 * space before the closing tag becomes one line break; of anything else, white space at both ends is dropped. White
 * space is therefore held back until something follows it.
 */
export class ActionContent {
  #parts: string[] = [];
  #tail = "";
  #white = "";
  #length = 0;
  #started = false;
  #overflowed = false;
  readonly #isFile: boolean;
  readonly #limit: number;
  readonly #onDelta: (text: string) => void;

  constructor(isFile: boolean, limit: number, onDelta: (text: string) => void) {
    this.#isFile = isFile;
    this.#limit = limit;
    this.#onDelta = onDelta;
  }

  get overflowed(): boolean {
    return this.#overflowed;
  }

  write(text: string): void {
    if (!this.#started) {
      text = this.#start(text);
      if (!this.#started) return;
    }
    let end = text.length;
    while (end > 0 && isWhite(text.charCodeAt(end - 1))) end--;
    if (end === text.length && this.#white === "") {
      if (end > 0) this.#put(text);
    } else if (end === 0) {
      this.#white += text;
    } else {
      this.#put(this.#white + text.slice(0, end));
      this.#white = text.slice(end);
    }
  }

  /** The action was closed: its whole content. */
  close(): string {
    if (this.#isFile && this.#length > 0)
      this.#put(/^[ \t]*\r\n/.test(this.#white) ? "\r\n" : "\n");
    return this.#whole();
  }

  /** The message ended first: what there is of it, unchanged. */
  cut(): string {
    if (this.#isFile && this.#white !== "") this.#put(this.#white);
    return this.#whole();
  }

  #start(text: string): string {
    if (this.#isFile) {
      text = this.#white + text;
      this.#white = "";
      if (text === "\r") {
        // May be half of a line break.
        this.#white = text;
        return "";
      }
      this.#started = true;
      return text.startsWith("\n") ? text.slice(1) : text.startsWith("\r\n") ? text.slice(2) : text;
    }
    let from = 0;
    while (from < text.length && isWhite(text.charCodeAt(from))) from++;
    this.#started = from < text.length;
    return text.slice(from);
  }

  #put(text: string): void {
    if (this.#overflowed) return;
    if (this.#length + text.length > this.#limit) {
      this.#overflowed = true;
      text = text.slice(0, this.#limit - this.#length);
      if (text === "") return;
    }
    this.#length += text.length;
    // Kept in blocks: one rope over a million one-character pieces takes 32 bytes for each of them.
    this.#tail += text;
    if (this.#tail.length >= BLOCK) {
      // Reading a character makes the engine join the pieces and let go of them.
      this.#tail.charCodeAt(0);
      this.#parts.push(this.#tail);
      this.#tail = "";
    }
    this.#onDelta(text);
  }

  #whole(): string {
    this.#parts.push(this.#tail);
    this.#tail = "";
    const whole = this.#parts.join("");
    this.#parts = [];
    return whole;
  }
}

const BLOCK = 4_096;
