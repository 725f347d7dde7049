/**
 * Random inputs by seed. The checks in this folder describe their invariants: each returns what is
 * wrong, or undefined. The short suite runs a few hundred of each, the soak runs for minutes.
 */
export class Random {
  #state: number;
  constructor(seed: number) {
    this.#state = seed | 0;
  }
  /** A random integer from 0 up to, but not including, `below`. */
  below(below: number): number {
    this.#state = (this.#state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(this.#state ^ (this.#state >>> 15), 1 | this.#state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) % below;
  }
  pick<T>(items: readonly T[]): T {
    return items[this.below(items.length)]!;
  }
  /** Between 0 and `most` fragments, joined. */
  text(fragments: readonly string[], most: number): string {
    return Array.from({ length: this.below(most + 1) }, () => this.pick(fragments)).join("");
  }
  cut(text: string): string[] {
    const most = this.pick([1, 3, 16, 200]);
    const pieces: string[] = [];
    for (let at = 0; at < text.length;) {
      const size = 1 + this.below(most);
      pieces.push(text.slice(at, at + size));
      at += size;
    }
    return pieces;
  }
}

/** Removes, doubles or swaps a few characters. */
export function mangle(random: Random, text: string): string {
  let out = text;
  for (let count = 1 + random.below(4); count > 0; count--) {
    const at = random.below(out.length + 1);
    const length = random.below(6);
    const middle = random.pick([
      "",
      out.slice(at, at + length).repeat(2),
      "\\",
      '"',
      "\n",
      "=",
      "}",
    ]);
    out = out.slice(0, at) + middle + out.slice(at + length);
  }
  return out;
}

export function differs(got: unknown, expected: unknown): string | undefined {
  const a = JSON.stringify(got);
  const b = JSON.stringify(expected);
  return a === b ? undefined : `got ${a} for ${b}`;
}
