import type { Input } from "../text/input.ts";
import { isWhite } from "../text/white.ts";
import type { Calls } from "./calls.ts";
import { readTag, type Tag } from "./tags.ts";

/**
 * The state after a parameter's closing tag. The tag was content unless another parameter, the
 * tool's end or another tool follows; text in between is held until that is decided.
 */
export interface Doubt {
  /** Whether anything other than white space followed the closing tag. */
  isText: boolean;
  /** The text after the closing tag. */
  text: string;
  /** @param end the end of the closing tag, where the input is */
  start(end: number): void;
  /**
   * The tag that proves that the parameter ended; `"content"` if it did not; `"more"` to wait;
   * undefined to continue.
   */
  read(): Tag | "more" | "content" | undefined;
}

/** @param limit maximum number of held characters; beyond it the tag counts as content */
export function createDoubt(input: Input, calls: Calls, limit: number): Doubt {
  let closing: string;
  let lineBlank: boolean;

  const release = () => calls.write(closing + doubt.text);

  /** Whether a tag ends the value. After words only the tool's end counts, or another tool that begins a line. */
  const isEnd = (tag: Tag): boolean =>
    !doubt.isText ||
    tag.name === calls.called.close ||
    (lineBlank && !calls.isParam(tag) && tag.name !== "parameter");

  const doubt: Doubt = {
    isText: false,
    text: "",
    start(end) {
      closing = input.take(end);
      doubt.text = "";
      doubt.isText = lineBlank = false;
    },
    read() {
      const { chunk } = input;
      for (let { at } = input; at < chunk.length; at++) {
        const code = chunk.charCodeAt(at);
        if (code === 60) {
          // Nearly always another tag of the same call follows, so the parameter's own closing tag is checked last.
          const other = readTag(chunk, at, calls.called.tags);
          const tag = other ?? readTag(chunk, at, calls.paramClose);
          const own = tag !== other;
          if (tag === "more" || own || (tag && isEnd(tag))) {
            doubt.text += input.take(at);
            if (tag === "more" || !own) return tag;
            // The closing tag occurs again: the one before it was content.
            release();
            doubt.start(tag!.end);
            return undefined;
          }
        }
        if (code === 10) lineBlank = true;
        else if (!isWhite(code)) {
          doubt.isText = true;
          lineBlank = false;
        }
      }
      doubt.text += input.take(chunk.length);
      if (doubt.text.length <= limit) return undefined;
      release();
      return "content";
    },
  };
  return doubt;
}
