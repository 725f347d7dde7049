import type { Input } from "../text/input.ts";
import { isWhite } from "../text/white.ts";
import { parseAttributes } from "./attributes.ts";

/** Reads one opening tag from its name to its `>`, which may stand in quotes before, in pieces of any size. */
export class TagReader {
  name = "";
  /** The tag as written so far, without its `>`. */
  text = "";
  #head = 0;
  #quote = 0;
  /** The last character that is not white space outside quotes, and no carriage return inside. */
  #last = 0;
  readonly #input: Input;
  readonly #limit: number;

  constructor(input: Input, limit: number) {
    this.#input = input;
    this.#limit = limit;
  }

  get isTooLong(): boolean {
    return this.text.length >= this.#limit;
  }

  get isSelfClosing(): boolean {
    return this.#last === 47;
  }

  get attributes(): Map<string, string> {
    const written = this.text.slice(this.#head);
    return parseAttributes(this.isSelfClosing ? written.trimEnd().slice(0, -1) : written);
  }

  /** @param end the end of the tag's name, where the input stands at its `<`. */
  start(name: string, end: number): void {
    this.name = name;
    this.#quote = this.#last = 0;
    this.text = this.#input.take(end);
    this.#head = this.text.length;
  }

  /** Reads on; true behind the tag's `>`, false when the chunk, or the limit, ends first. */
  read(): boolean {
    const { chunk, at: from } = this.#input;
    const limit = Math.min(chunk.length, from + this.#limit - this.text.length);
    // A field that is written for each character takes longer than all else here.
    let last = this.#last;
    for (let at = from; at < limit; at++) {
      const code = chunk.charCodeAt(at);
      if (this.#quote !== 0) {
        // A line that ends in `>` ends the tag: of a quote that nothing closes, or the rest of the message would be its.
        if (code === 10 && last === 62) {
          this.text = (this.text + this.#input.take(at)).replace(/>\r?$/, "");
          this.#last = last;
          return true;
        }
        if (code === this.#quote) this.#quote = 0;
        if (code !== 13) last = code;
      } else if (code === 62) {
        this.text += this.#input.take(at);
        this.#input.at++;
        this.#last = last;
        return true;
      } else if ((code === 34 || code === 39) && last === 61) this.#quote = code;
      else if (!isWhite(code)) last = code;
    }
    this.#last = last;
    this.text += this.#input.take(Math.max(from, limit));
    return false;
  }
}
