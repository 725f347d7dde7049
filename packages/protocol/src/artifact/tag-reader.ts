import { parseAttributes } from "./attributes.ts";
import { isWhite, type TagName } from "./tags.ts";

/** Reads one opening tag from its name to its `>`, which may stand in quotes before, in pieces of any size. */
export class TagReader {
  name: TagName = "boltaction";
  /** The tag as written so far. */
  text = "";
  #head = 0;
  #quote = 0;
  /** The last character outside quotes that is not white space. */
  #last = 0;
  readonly #limit: number;

  constructor(limit: number) {
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

  /** @param text the tag up to the end of its name. */
  start(name: TagName, text: string): void {
    this.name = name;
    this.text = text;
    this.#head = text.length;
    this.#quote = 0;
    this.#last = 0;
  }

  /** Reads on; the place of the tag's `>`, or -1 when the chunk, or the limit, ends first. */
  read(chunk: string, from: number): number {
    const limit = Math.min(chunk.length, from + this.#limit - this.text.length);
    for (let at = from; at < limit; at++) {
      const code = chunk.charCodeAt(at);
      if (this.#quote !== 0) {
        if (code !== this.#quote) continue;
        this.#quote = 0;
        this.#last = code;
      } else if (code === 62) {
        this.text += chunk.slice(from, at);
        return at;
      } else if ((code === 34 || code === 39) && this.#last === 61) this.#quote = code;
      else if (!isWhite(code)) this.#last = code;
    }
    this.text += chunk.slice(from, Math.max(from, limit));
    return -1;
  }
}
