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

/** What stands between two tags, as it streams, one content after the other. */
export interface Content {
  /** Something was left out: it went over the limit. */
  overflowed(): boolean;
  /** Nothing but white space was written. */
  isBlank(): boolean;
  open(kind: ContentKind): void;
  write(text: string): void;
  /** The whole. `complete` is false where the message ended first: then all white space stays that may count. */
  close(complete: boolean): string;
}

/**
 * White space is held back until something follows it.
 * @param limit characters of a content; what goes over is left out
 */
export function createContent(limit: number, onDelta: (text: string) => void): Content {
  let kind: ContentKind;
  let overflowed: boolean;
  let blocks: string[] = [];
  /** What is not in a block yet. */
  let loose = "";
  /** White space that is held back. */
  let white: string;
  let length = 0;
  let started: boolean;
  /** White space at the end counts. */
  let exact: boolean;

  const toBlock = () => {
    blocks.push(flat(loose));
    loose = "";
  };

  const put = (text: string) => {
    const room = limit - length;
    if (text.length > room) {
      overflowed = true;
      text = text.slice(0, room);
    }
    if (text === "") return;
    length += text.length;
    if (text.length < LONG) loose += text;
    else {
      toBlock();
      blocks.push(text);
    }
    if (loose.length >= BLOCK) toBlock();
    onDelta(text);
  };

  /** Drops what stands in front and does not count; `""` while that is not clear. */
  const start = (text: string): string => {
    white = "";
    if (kind !== "text") {
      // May be half of a line break.
      if (text === "\r") {
        white = text;
        return "";
      }
      const lead = text.startsWith("\n") ? 1 : text.startsWith("\r\n") ? 2 : 0;
      if (lead > 0 || exact) {
        started = exact = true;
        return text.slice(lead);
      }
    }
    const from = skipWhite(text, 0);
    started = from < text.length;
    // A single blank is enough to remember that it is no block.
    if (!started) white = " ";
    return text.slice(from);
  };

  return {
    overflowed: () => overflowed,
    isBlank: () => length === 0,
    open(asKind) {
      kind = asKind;
      exact = kind === "file";
      started = overflowed = false;
      length = 0;
      white = "";
    },
    write(text) {
      if (!started) text = start(white + text);
      let end = text.length;
      while (end > 0 && isWhite(text.charCodeAt(end - 1))) end--;
      if (end === 0) white += text;
      else {
        const isAll = end === text.length;
        const black = isAll ? text : text.slice(0, end);
        put(white === "" ? black : white + black);
        white = isAll ? "" : text.slice(end);
      }
    },
    close(complete) {
      if (exact) {
        if (!complete) put(white);
        else if (kind === "value") put(withoutLastBreak(white));
        else if (length > 0) put(white !== "\n" && /^[ \t]*\r\n/.test(white) ? "\r\n" : "\n");
      }
      const last = flat(loose);
      loose = "";
      if (blocks.length === 0) return last;
      const content = blocks.join("") + last;
      blocks = [];
      return content;
    },
  };
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
