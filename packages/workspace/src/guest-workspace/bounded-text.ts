/** Keeps the head and the tail of a long text, at most `limit` characters in all; linear in what is added. */
export function createBoundedText(limit: number): { add(text: string): void; toString(): string } {
  const half = Math.floor(limit / 2);
  let head = "";
  let tail: string[] = [];
  let tailLength = 0;
  let dropped = 0;
  return {
    add(text) {
      if (head.length < half) {
        const fits = text.slice(0, half - head.length);
        head += fits;
        text = text.slice(fits.length);
      }
      if (text === "") return;
      tail.push(text);
      tailLength += text.length;
      // Joined only when twice the size is held: cutting at every piece would copy the tail each time.
      if (tailLength > 2 * half) {
        const joined = tail.join("");
        dropped += joined.length - half;
        tail = [joined.slice(-half)];
        tailLength = half;
      }
    },
    toString() {
      const joined = tail.join("");
      const cut = Math.max(0, joined.length - half);
      const missing = dropped + cut;
      return missing === 0
        ? head + joined
        : `${head}\n[… ${missing} characters left out …]\n${joined.slice(cut)}`;
    },
  };
}
