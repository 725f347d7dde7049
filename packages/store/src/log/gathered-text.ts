import { headOf, tailOf } from "@treadle/protocol/safe-text";

/** Maximum characters kept of each of the head and the tail of a program's output. */
export const OUTPUT_HEAD = 512 * 1024;
export const OUTPUT_TAIL = 512 * 1024;
/**
 * Maximum characters kept of each of the head and the tail of a model's text: twice the current limit
 * of an answer, so that only texts in older logs are cut.
 */
export const SAID_HEAD = 4 * 1024 * 1024;
export const SAID_TAIL = 4 * 1024 * 1024;

/**
 * Gathers the pieces of one long text. Joined once, at the end: concatenating piece by piece is quadratic.
 * It never holds much more than head and tail, however long the text is.
 */
export function createGatheredText(kind: "text" | "reasoning" | "call-delta" | "output") {
  const [headLength, tailLength] =
    kind === "output" ? [OUTPUT_HEAD, OUTPUT_TAIL] : [SAID_HEAD, SAID_TAIL];
  let parts: string[] = [];
  let length = 0;
  let head = "";
  let left = 0;
  return {
    /** Adds a piece. @param isWhole whether it replaces all earlier ones */
    add(text: string, isWhole: boolean): void {
      if (isWhole) {
        parts = [];
        length = 0;
        head = "";
        left = 0;
      }
      parts.push(text);
      length += text.length;
      if (length <= 2 * (headLength + tailLength)) return;
      let all = parts.join("");
      if (head === "") {
        head = headOf(all, headLength);
        all = all.slice(head.length);
      }
      const tail = tailOf(all, tailLength);
      left += all.length - tail.length;
      parts = [tail];
      length = head.length + tail.length;
    },
    join(): string {
      const all = parts.join("");
      if (head === "" && all.length <= headLength + tailLength) return all;
      const first = head === "" ? headOf(all, headLength) : head;
      const rest = head === "" ? all.slice(first.length) : all;
      const last = tailOf(rest, tailLength);
      const out = left + rest.length - last.length;
      return `${first}\n… ${out.toLocaleString("en")} characters left out …\n${last}`;
    },
  };
}
