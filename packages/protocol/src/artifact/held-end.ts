import type { Input } from "../text/input.ts";
import { isWhite } from "../text/white.ts";
import type { TagReader } from "./tag-reader.ts";
import { ACTION, ARTIFACT, matchTag } from "./tags.ts";

const CLOSE = `/${ACTION}`;
/** What decides behind a closing tag that words follow on its line, and behind an end that is only implied. */
const BEHIND = [CLOSE, ACTION, ARTIFACT, `/${ARTIFACT}`];
const IMPLIED = [CLOSE, ACTION];

/**
 * Where an action may have ended: at its closing tag, or, without one, where its artifact ends on a line of its own or
 * another one begins on a line. The line tells, or else the next tag; what comes until then is held.
 */
export class HeldEnd {
  /** What is held, to be read as prose where the action ended, as content where it did not. */
  text = "";
  /** The closing tag, which is content where the action goes on behind it. */
  closing = "";
  /** What has to be seen of the line first. */
  #line: "blank" | "tag" | undefined;
  readonly #input: Input;
  readonly #tag: TagReader;
  readonly #limit: number;

  /** @param limit characters held at most; then they count as content. */
  constructor(input: Input, tag: TagReader, limit: number) {
    this.#input = input;
    this.#tag = tag;
    this.#limit = limit;
  }

  /** The input stands at a tag that may end the action. @param end where its name ends, a closing tag's `>` too */
  start(name: string, end: number): void {
    this.text = this.closing = "";
    this.#line = "blank";
    if (name === ARTIFACT) {
      this.#line = "tag";
      this.#tag.start(name, end);
    } else {
      const tag = this.#input.take(end);
      if (name === CLOSE) this.closing = tag;
      else this.text = tag;
    }
  }

  /** Whether the action ended here; `"more"` where what is left of the chunk has to wait; undefined to go on. */
  read(): boolean | "more" | undefined {
    if (this.#line === "tag") return this.#readTag();
    return this.#line ? this.#readLine() : this.#readOn();
  }

  /** The message is over. @returns whether the action is: not in the middle of an artifact's tag. */
  end(): boolean {
    if (this.#line !== "tag") return true;
    this.text = this.#tag.text;
    return false;
  }

  /** Behind a closing tag: where only white space stands on its line, it is one. */
  #readLine(): boolean | undefined {
    const { chunk } = this.#input;
    let { at } = this.#input;
    while (at < chunk.length && chunk.charCodeAt(at) !== 10 && isWhite(chunk.charCodeAt(at))) at++;
    this.text += this.#input.take(at);
    if (at === chunk.length) return undefined;
    const isBlank = chunk.charCodeAt(at) === 10;
    this.#line = undefined;
    return this.closing === "" ? (isBlank ? undefined : false) : isBlank || undefined;
  }

  /** In an artifact's opening tag, which counts with an id. */
  #readTag(): false | undefined {
    const tag = this.#tag;
    const isWhole = tag.read();
    if (!isWhole && !tag.isTooLong) return undefined;
    this.text = isWhole ? `${tag.text}>` : tag.text;
    this.#line = undefined;
    return isWhole && tag.attributes.has("id") ? undefined : false;
  }

  #readOn(): boolean | "more" | undefined {
    const { chunk, at: from } = this.#input;
    const limit = from + this.#limit - this.text.length;
    const names = this.closing === "" ? IMPLIED : BEHIND;
    let less = chunk.indexOf("<", from);
    for (; less !== -1 && less < limit; less = chunk.indexOf("<", less + 1)) {
      const match = matchTag(chunk, less, names);
      if (!match) continue;
      this.text += this.#input.take(less);
      return match === "more" ? match : match.name !== CLOSE;
    }
    this.text += this.#input.take(Math.min(chunk.length, limit));
    return limit < chunk.length ? false : undefined;
  }
}
