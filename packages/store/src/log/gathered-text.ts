import { headOf, tailOf } from "@treadle/protocol/safe-text";

/** What a program printed is kept with head and tail, this many characters of each; what a model said is kept whole. */
export const OUTPUT_HEAD = 512 * 1024;
export const OUTPUT_TAIL = 512 * 1024;

/**
 * Gathers the pieces of one long text. Joined once, at the end: concatenating piece by piece is quadratic.
 * Of `output` it never holds much more than head and tail, however long it is.
 */
export function createGatheredText(kind: "text" | "reasoning" | "call-delta" | "output") {
  let parts: string[] = [];
  let length = 0;
  let head = "";
  let left = 0;
  return {
    /** @param whole the piece stands for all that came before it. */
    add(text: string, whole: boolean): void {
      if (whole) {
        parts = [];
        length = 0;
        head = "";
        left = 0;
      }
      parts.push(text);
      length += text.length;
      if (kind !== "output" || length <= 2 * (OUTPUT_HEAD + OUTPUT_TAIL)) return;
      let all = parts.join("");
      if (head === "") {
        head = headOf(all, OUTPUT_HEAD);
        all = all.slice(head.length);
      }
      const tail = tailOf(all, OUTPUT_TAIL);
      left += all.length - tail.length;
      parts = [tail];
      length = head.length + tail.length;
    },
    join(): string {
      const all = parts.join("");
      if (kind !== "output") return all;
      if (head === "" && all.length <= OUTPUT_HEAD + OUTPUT_TAIL) return all;
      const first = head === "" ? headOf(all, OUTPUT_HEAD) : head;
      const rest = head === "" ? all.slice(first.length) : all;
      const last = tailOf(rest, OUTPUT_TAIL);
      const out = left + rest.length - last.length;
      return `${first}\n… ${out.toLocaleString("en")} characters left out …\n${last}`;
    },
  };
}
