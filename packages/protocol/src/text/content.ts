import { isWhite, skipWhite } from "./white.ts";

/**
 * How white space at the ends counts. `file`: one line break in front is dropped, and what is behind becomes one line
 * break. `value`: when it begins with a line break it is a block, and loses that one and the last one with the
 * indentation behind it; otherwise it is trimmed. `text`: it is trimmed.
 */
export type ContentKind = "file" | "value" | "text";

/** Pieces are made one string after so many characters: a rope over a million of them takes 32 bytes for each. */
const BLOCK = 4_096;
/** A piece of so many characters is kept as it is: to copy it twice would be most of what is done with it. */
const LONG = 512;

/**
 * What stands between two tags, as it streams, one content after the other. White space is held back until something
 * follows it. What goes over the limit is left out.
 */
export class Content {
  /** Something was left out. */
  overflowed = false;
  #kind: ContentKind = "text";
  #blocks: string[] = [];
  /** What is not in a block yet. */
  #loose = "";
  /** White space that is held back, in pieces. */
  #white = "";
  #length = 0;
  #started = false;
  /** White space at the end counts. */
  #exact = false;
  readonly #limit: number;
  readonly #onDelta: (text: string) => void;

  constructor(limit: number, onDelta: (text: string) => void) {
    this.#limit = limit;
    this.#onDelta = onDelta;
  }

  /** Nothing but white space was written. */
  get isBlank(): boolean {
    return this.#length === 0;
  }

  open(kind: ContentKind): void {
    this.#kind = kind;
    this.#exact = kind === "file";
    this.#started = this.overflowed = false;
    this.#length = 0;
    this.#white = "";
  }

  write(text: string): void {
    if (!this.#started) text = this.#start(this.#white + text);
    let end = text.length;
    while (end > 0 && isWhite(text.charCodeAt(end - 1))) end--;
    if (end === 0) this.#white += text;
    else {
      const { length } = text;
      const black = end === length ? text : text.slice(0, end);
      this.#put(this.#white === "" ? black : this.#white + black);
      this.#white = end === length ? "" : text.slice(end);
    }
  }

  /** The whole. `complete` is false where the message ended first: then all white space stays that may count. */
  close(complete: boolean): string {
    const white = this.#white;
    if (this.#exact) {
      if (!complete) this.#put(white);
      else if (this.#kind === "value") this.#put(withoutLastBreak(white));
      else if (this.#length > 0)
        this.#put(white !== "\n" && /^[ \t]*\r\n/.test(white) ? "\r\n" : "\n");
    }
    const last = flat(this.#loose);
    const whole = this.#blocks.length > 0 ? this.#blocks.join("") + last : last;
    this.#blocks = [];
    this.#loose = "";
    return whole;
  }

  /** Drops what stands in front and does not count; `""` while that is not clear. */
  #start(text: string): string {
    this.#white = "";
    if (this.#kind !== "text") {
      if (text === "\r") {
        // May be half of a line break.
        this.#white = text;
        return "";
      }
      const lead = text.startsWith("\n") ? 1 : text.startsWith("\r\n") ? 2 : 0;
      if (lead > 0 || this.#exact) {
        this.#started = this.#exact = true;
        return text.slice(lead);
      }
    }
    const from = skipWhite(text, 0);
    this.#started = from < text.length;
    // A single blank is enough to remember that it is no block.
    if (!this.#started) this.#white = " ";
    return text.slice(from);
  }

  #put(text: string): void {
    const room = this.#limit - this.#length;
    if (text.length > room) {
      this.overflowed = true;
      text = text.slice(0, room);
    }
    if (text === "") return;
    this.#length += text.length;
    if (text.length < LONG) this.#loose += text;
    else {
      this.#blocks.push(flat(this.#loose), text);
      this.#loose = "";
    }
    if (this.#loose.length >= BLOCK) {
      this.#blocks.push(flat(this.#loose));
      this.#loose = "";
    }
    this.#onDelta(text);
  }
}

/** A text as one string in memory: engines make it one when they search in it, which takes less time than a join. */
function flat(text: string): string {
  text.lastIndexOf("\n", 0);
  return text;
}

function withoutLastBreak(white: string): string {
  // Most blocks end so, and there may be thousands.
  return white === "\n" ? "" : white.replace(/\r?\n[ \t]*$/, "");
}
