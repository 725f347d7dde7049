import type { Input } from "../text/input.ts";
import type { TagMatch } from "../text/match-name.ts";
import { isWhite } from "../text/white.ts";
import type { ArtifactEvents } from "./artifact-events.ts";
import type { TagReader } from "./tag-reader.ts";
import { ACTION, ACTION_END, ARTIFACT_END, matchTag, TAGS } from "./tags.ts";

/** Characters of an action's tag that are waited for, to see whether it closes itself. */
const TAG_LIMIT = 512;
/** Tags without a closing one before them that a message may have: what is held is read again, so often at most. */
const TRIES = 50;

/**
 * Where an action may have ended: at its closing tag, or, without one, where its artifact ends on a line of its own, or
 * where another one, or another action, begins. What comes until that is clear is held.
 *
 * Behind a closing tag its line tells, or else the next tag. Without one all was content as soon as more actions are closed
 * than were opened since; the action ended where that does not come up to the message's end. Sooner nobody can know it, and
 * a command that stands in a file must not be run.
 */
export class HeldEnd {
  /** What is held, to be read as prose where the action ended, as content where it did not. */
  text = "";
  /** The closing tag, which is content where the action goes on behind it. */
  closing = "";
  /** What has to be seen of the line first. */
  #line: "blank" | "tag" | undefined;
  #startsLine = false;
  #tries = TRIES;
  /** Actions that were opened since, and not closed. */
  #depth = 0;
  readonly #input: Input;
  readonly #outline: ArtifactEvents;
  readonly #tag: TagReader;
  readonly #limit: number;

  /** @param limit characters held at most; then they count as content. */
  constructor(input: Input, outline: ArtifactEvents, tag: TagReader, limit: number) {
    this.#input = input;
    this.#outline = outline;
    this.#tag = tag;
    this.#limit = limit;
  }

  /** The input stands at a tag that may end the action. @param end where its name ends, a closing tag's `>` too */
  start({ name, end }: TagMatch): void {
    const input = this.#input;
    this.#startsLine = input.isLineStart(input.at);
    this.#depth = 0;
    this.text = this.closing = "";
    this.#line = "blank";
    if (name === ACTION_END) this.closing = input.take(end);
    else if (name === ARTIFACT_END) this.text = input.take(end);
    else {
      this.#line = "tag";
      this.#tag.start(name, end);
    }
  }

  /** Whether the action ended here; `"more"` where what is left of the chunk has to wait; undefined to go on. */
  read(): boolean | "more" | undefined {
    if (this.#line === "tag") return this.#readTag();
    return this.#line ? this.#readLine() : this.#readOn();
  }

  /** The message is over. @returns whether the action is; otherwise the tag is content. */
  end(): boolean {
    if (this.#line === "tag") this.text = this.#tag.text;
    return this.closing !== "" || (!this.#line && this.#startsLine);
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
    return this.closing === "" ? this.#goesOn(isBlank) : isBlank || undefined;
  }

  /** In an opening tag, which counts with an id, or a type. */
  #readTag(): false | undefined {
    const tag = this.#tag;
    const isWhole = tag.read();
    if (!isWhole && !tag.isTooLong) return undefined;
    this.text = isWhole ? `${tag.text}>` : tag.text;
    this.#line = undefined;
    const { attributes } = tag;
    const isAction = tag.name === ACTION;
    if (isAction && !tag.isSelfClosing) this.#depth = 1;
    if (isAction && this.#outline.opensAgain(attributes)) {
      this.text = "";
      return false;
    }
    return this.#goesOn(isWhole && attributes.has(isAction ? "type" : "id"));
  }

  #goesOn(counts: boolean): false | undefined {
    return counts && this.#tries-- > 0 ? undefined : false;
  }

  #readOn(): boolean | "more" | undefined {
    const { chunk, at: from } = this.#input;
    const limit = from + this.#limit - this.text.length;
    let less = chunk.indexOf("<", from);
    for (; less !== -1 && less < limit; less = chunk.indexOf("<", less + 1)) {
      const match = matchTag(chunk, less, TAGS);
      if (!match) continue;
      const isEnd = match !== "more" && match.name === ACTION_END;
      let ended: boolean | "more" | undefined = match === "more" ? match : !isEnd;
      if (this.closing === "" && match !== "more") ended = this.#count(match, less);
      if (ended === undefined) continue;
      this.text += this.#input.take(less);
      return ended;
    }
    this.text += this.#input.take(Math.min(chunk.length, limit));
    return limit < chunk.length ? false : undefined;
  }

  /** Counts the actions that are open. */
  #count({ name, end }: TagMatch, less: number): false | "more" | undefined {
    if (name === ACTION_END && --this.#depth < 0) return false;
    if (name !== ACTION) return undefined;
    const { chunk } = this.#input;
    const tag = chunk.slice(end, less + TAG_LIMIT);
    const close = tag.indexOf(">");
    if (close === -1 && chunk.length < less + TAG_LIMIT) return "more";
    if (tag[close - 1] !== "/") this.#depth++;
    return undefined;
  }
}
