import type { Input } from "../text/input.ts";
import { isWhite } from "../text/white.ts";
import { parseAttributes } from "./attributes.ts";

/** Reads one opening tag from its name to its `>`, which may stand in quotes before, in pieces of any size. */
export interface TagReader {
  name: string;
  /** The tag as written so far, without its `>`. */
  text: string;
  isTooLong(): boolean;
  isSelfClosing(): boolean;
  attributes(): Map<string, string>;
  /** @param end the end of the tag's name, where the input stands at its `<`. */
  start(name: string, end: number): void;
  /** Reads on; true behind the tag's `>`, false when the chunk, or the limit, ends first. */
  read(): boolean;
}

export function createTagReader(input: Input, tagLimit: number): TagReader {
  let head = 0;
  let quote = 0;
  /** The last character that is not white space outside quotes, and no carriage return inside. */
  let lastSeen = 0;
  // No getters: with those, each of these would be of a shape of its own.
  return {
    name: "",
    text: "",
    isTooLong() {
      return this.text.length >= tagLimit;
    },
    isSelfClosing: () => lastSeen === 47,
    attributes() {
      const written = this.text.slice(head);
      return parseAttributes(lastSeen === 47 ? written.trimEnd().slice(0, -1) : written);
    },
    start(name, end) {
      this.name = name;
      quote = lastSeen = 0;
      this.text = input.take(end);
      head = this.text.length;
    },
    read() {
      const { chunk, at: from } = input;
      const limit = Math.min(chunk.length, from + tagLimit - this.text.length);
      // One that is kept is written more slowly, and this is done for each character.
      let last = lastSeen;
      for (let at = from; at < limit; at++) {
        const code = chunk.charCodeAt(at);
        // A line that ends in `>` ends the tag: of a quote that nothing closes, or the rest of the message would be its.
        const cuts = quote !== 0 && code === 10 && last === 62;
        if (cuts || (quote === 0 && code === 62)) {
          lastSeen = last;
          this.text += input.take(at);
          if (cuts) this.text = this.text.replace(/>\r?$/, "");
          else input.at++;
          return true;
        }
        if (quote !== 0) {
          if (code === quote) quote = 0;
          if (code !== 13) last = code;
        } else if ((code === 34 || code === 39) && last === 61) quote = code;
        else if (!isWhite(code)) last = code;
      }
      lastSeen = last;
      this.text += input.take(Math.max(from, limit));
      return false;
    },
  };
}
