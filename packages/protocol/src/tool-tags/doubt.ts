import type { Input } from "../text/input.ts";
import { isWhite } from "../text/white.ts";
import type { Calls } from "./calls.ts";
import { readTag, type Tag } from "./tags.ts";

/**
 * Behind a parameter's closing tag. It was content, unless another parameter, the tool's end or another tool follows;
 * what comes in between is held until that is clear.
 */
export class Doubt {
  /** Something other than white space came behind the closing tag. */
  isText = false;
  /** What came behind the closing tag. */
  text = "";
  #closing = "";
  #lineBlank = false;
  readonly #input: Input;
  readonly #calls: Calls;
  readonly #limit: number;

  /** @param limit characters held at most; then the tag counts as content. */
  constructor(input: Input, calls: Calls, limit: number) {
    this.#input = input;
    this.#calls = calls;
    this.#limit = limit;
  }

  /** @param end the end of the closing tag, where the input stands. */
  start(end: number): void {
    this.#closing = this.#input.take(end);
    this.text = "";
    this.isText = this.#lineBlank = false;
  }

  /** The tag that shows that the parameter ended; `"content"` when it did not; `"more"` to wait; undefined to go on. */
  read(): Tag | "more" | "content" | undefined {
    const input = this.#input;
    const { chunk } = input;
    for (let { at } = input; at < chunk.length; at++) {
      const code = chunk.charCodeAt(at);
      if (code === 60) {
        const own = readTag(chunk, at, this.#calls.paramClose);
        const tag = own ?? readTag(chunk, at, this.#calls.called.tags);
        if (tag === "more" || own || (tag && this.#isEnd(tag))) {
          this.text += input.take(at);
          if (tag === "more" || !own) return tag;
          // One more closing tag: the one before it was content.
          this.#release();
          this.start(tag!.end);
          return undefined;
        }
      }
      if (code === 10) this.#lineBlank = true;
      else if (!isWhite(code)) {
        this.isText = true;
        this.#lineBlank = false;
      }
    }
    this.text += input.take(chunk.length);
    if (this.text.length <= this.#limit) return undefined;
    this.#release();
    return "content";
  }

  #release(): void {
    this.#calls.write(this.#closing + this.text);
  }

  /** Behind words only the tool's end counts, or another tool behind a line that begins with it. */
  #isEnd(tag: Tag): boolean {
    const calls = this.#calls;
    if (!this.isText || tag.name === calls.called.close) return true;
    return this.#lineBlank && !calls.isParam(tag) && tag.name !== "parameter";
  }
}
