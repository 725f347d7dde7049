import { headOf, tailOf } from "@treadle/protocol/safe-text";
/**
 * Keeps the head and the tail of a long text, at most `limit` characters in all, cut between
 * characters. Takes time linear in the added text.
 */
export function createBoundedText(limit: number): { add(text: string): void; toString(): string } {
  const half = Math.floor(limit / 2);
  let head = "";
  let tail: string[] = [];
  let tailLength = 0;
  let dropped = 0;
  return {
    add(text) {
      if (tailLength === 0 && head.length < half) {
        const fits = headOf(text, half - head.length);
        head += fits;
        text = text.slice(fits.length);
      }
      if (text === "") return;
      tail.push(text);
      tailLength += text.length;
      // Joined only once twice the size is buffered: cutting at every chunk would copy the tail
      // each time.
      if (tailLength > 2 * half) {
        const joined = tail.join("");
        const retained = tailOf(joined, half);
        dropped += joined.length - retained.length;
        tail = [retained];
        tailLength = retained.length;
      }
    },
    toString() {
      const joined = tail.join("");
      const retained = tailOf(joined, half);
      const missing = dropped + joined.length - retained.length;
      return missing === 0
        ? head + joined
        : `${head}\n[… ${missing} characters left out …]\n${retained}`;
    },
  };
}
