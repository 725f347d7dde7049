import type { Input } from "../text/input.ts";
import { isWhite } from "../text/white.ts";
import { parseAttributes } from "./attributes.ts";

/** Reads one opening tag from its name to its `>`, outside of quotes, in chunks of any size. */
export interface TagReader {
  name: string;
  /** The tag as read so far, without its `>`. */
  text: string;
  isTooLong(): boolean;
  isSelfClosing(): boolean;
  attributes(): Map<string, string>;
  /** @param end the end of the tag's name; the input is at its `<` */
  start(name: string, end: number): void;
  /** Reads on; true after the tag's `>`, false if the chunk, or the limit, ends first. */
  read(): boolean;
}

export function createTagReader(input: Input, tagLimit: number): TagReader {
  let head = 0;
  let quote = 0;
  /** The last character that is neither white space outside quotes nor a carriage return inside. */
  let lastSeen = 0;
  // No getters: they would give each object its own hidden class.
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
      // A local variable is faster than a property, and this runs for each character.
      let last = lastSeen;
      for (let at = from; at < limit; at++) {
        const code = chunk.charCodeAt(at);
        // A line that ends in `>` ends a tag with an unclosed quote, which would otherwise swallow
        // the rest of the message.
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
