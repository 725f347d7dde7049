import { sentence } from "@treadle/protocol/sentences";
import { ApiFailure } from "@treadle/common";

/** Maximum size of one line, and of all, in bytes. */
const LINE = 64 * 1024 * 1024;
const ALL = 1024 * 1024 * 1024;
/** Maximum nesting of lists and objects. */
const DEPTH = 200;

/**
 * Yields the non-empty lines of a stream, numbered from 1; reads each byte once.
 * @throws ApiFailure 413 above the limits
 */
export async function* splitLines(
  pieces: AsyncIterable<Uint8Array>,
): AsyncGenerator<{ number: number; text: string }> {
  const decoder = new TextDecoder();
  let rest: string[] = [];
  let length = 0;
  let number = 0;
  let bytes = 0;
  for await (const piece of pieces) {
    bytes += piece.byteLength;
    const [first = "", ...others] = decoder.decode(piece, { stream: true }).split("\n");
    rest.push(first);
    length += first.length;
    if (length > LINE || bytes > ALL)
      throw new ApiFailure(
        413,
        "too-large",
        sentence("too-large", { what: "log", limit: "1 GB (64 MB a line)" }),
      );
    for (const next of others) {
      const text = rest.join("");
      [rest, length] = [[next], next.length];
      if (text.trim() !== "") yield { number: ++number, text };
    }
  }
  const text = rest.join("");
  if (text.trim() !== "") yield { number: ++number, text };
}

const [QUOTE, BACKSLASH, LIST, LIST_END, RECORD, RECORD_END] = [...'"\\[]{}'].map((mark) =>
  mark.charCodeAt(0),
);

/**
 * Whether JSON is nested deeper than anything written here, which would overflow the stack of its
 * readers.
 */
export function isTooDeep(json: string): boolean {
  let depth = 0;
  let inText = false;
  for (let at = 0; at < json.length; at++) {
    const mark = json.charCodeAt(at);
    if (mark === QUOTE) inText = !inText;
    else if (inText) at += mark === BACKSLASH ? 1 : 0;
    else if (mark === LIST || mark === RECORD) depth++;
    else if (mark === LIST_END || mark === RECORD_END) depth--;
    if (depth > DEPTH) return true;
  }
  return false;
}
