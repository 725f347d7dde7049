import { isWhite, skipWhite } from "./white.ts";

/**
 * How white space at the ends is treated. `file`: one line break at the start is dropped, and white
 * space at the end becomes one line break. `value`: one that begins with a line break is a block,
 * and loses it and the last one with the indentation after it; otherwise it is trimmed. `text`:
 * trimmed.
 */
export type ContentKind = "file" | "value" | "text";

/**
 * Number of characters after which chunks are joined: a rope over a million of them takes 32 bytes
 * for each.
 */
const BLOCK = 4_096;
/**
 * Chunks of this many characters are kept as they are, since copying them twice would dominate the
 * cost.
 */
const LONG = 512;

/** The text between two tags while it streams, one content after another. */
export interface Content {
  /** Whether a part was dropped because it exceeded the limit. */
  overflowed(): boolean;
  /** Whether it is white space only. */
  isBlank(): boolean;
  open(kind: ContentKind): void;
  write(text: string): void;
  /**
   * The complete content. If `complete` is false, because the message ended, possibly relevant
   * white space is kept.
   */
  close(complete: boolean): string;
}

/**
 * Collects one content after another, and passes its pieces to `onDelta`. White space is held back until other text
 * follows.
 * @param limit maximum length of a content; the excess is dropped
 */
export function createContent(limit: number, onDelta: (text: string) => void): Content {
  let kind: ContentKind;
  let overflowed: boolean;
  let blocks: string[] = [];
  /** The part that is not in a block yet. */
  let loose = "";
  /** White space that is held back. */
  let white: string;
  let length = 0;
  let started: boolean;
  /** Whether white space at the end counts. */
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

  /** Drops insignificant white space at the start; `""` while that is undecided. */
  const start = (text: string): string => {
    white = "";
    if (kind !== "text") {
      // The carriage return may be the first half of a line break.
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
    // A single blank suffices to record that it is not a block.
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

/** Flattens a text in memory: engines do so when they search in it, which is faster than a join. */
function flat(text: string): string {
  text.lastIndexOf("\n", 0);
  return text;
}

function withoutLastBreak(white: string): string {
  // The most frequent case, of which there may be thousands.
  return white === "\n" ? "" : white.replace(/\r?\n[ \t]*$/, "");
}
