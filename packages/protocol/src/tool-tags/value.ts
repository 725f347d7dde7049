import { isWhite } from "../artifact/tags.ts";

/**
 * The value of one parameter as it streams. One that begins with a line break is a block: that break and the last one,
 * with the closing tag's indentation, are not part of it, and everything else is. Any other loses white space at both
 * ends.
 */
export class ParamValue {
  #parts: string[] = [];
  #tail = "";
  #white = "";
  #length = 0;
  #mode: "unknown" | "block" | "inline" = "unknown";
  #overflowed = false;
  readonly #limit: number;
  readonly #onDelta: (text: string) => void;

  constructor(limit: number, onDelta: (text: string) => void) {
    this.#limit = limit;
    this.#onDelta = onDelta;
  }

  get overflowed(): boolean {
    return this.#overflowed;
  }

  write(text: string): void {
    if (this.#mode === "unknown") {
      text = this.#start(text);
      if (this.#mode === "unknown") return;
    }
    let end = text.length;
    while (end > 0 && isWhite(text.charCodeAt(end - 1))) end--;
    if (end === 0) this.#white += text;
    else {
      const body = end === text.length ? text : text.slice(0, end);
      this.#put(this.#white === "" ? body : this.#white + body);
      this.#white = end === text.length ? "" : text.slice(end);
    }
  }

  close(): string {
    if (this.#mode === "block") this.#put(this.#white.replace(/\r?\n[ \t]*$/, ""));
    return this.#whole();
  }

  /** The message ended first: what there is of it. */
  cut(): string {
    if (this.#mode === "block") this.#put(this.#white);
    return this.#whole();
  }

  #start(text: string): string {
    text = this.#white + text;
    this.#white = "";
    if (text === "\r") this.#white = text;
    else if (text.startsWith("\n") || text.startsWith("\r\n")) {
      this.#mode = "block";
      return text.slice(text.startsWith("\n") ? 1 : 2);
    } else {
      let from = 0;
      while (from < text.length && isWhite(text.charCodeAt(from))) from++;
      // A single blank is enough to remember that it is no block.
      if (from === text.length) this.#white = text === "" ? "" : " ";
      else this.#mode = "inline";
      return text.slice(from);
    }
    return "";
  }

  #put(text: string): void {
    if (text === "" || this.#overflowed) return;
    if (this.#length + text.length > this.#limit) {
      this.#overflowed = true;
      text = text.slice(0, this.#limit - this.#length);
      if (text === "") return;
    }
    this.#length += text.length;
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

/** Pieces are joined in blocks: a rope over a million of them takes 32 bytes for each. */
const BLOCK = 4_096;
