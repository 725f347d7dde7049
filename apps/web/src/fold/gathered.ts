/**
 * A text that grows at its end, as an immutable value. Appending costs only the appended length: versions of a text
 * share their pieces, and each reads its own number of them (`count`). Joining at every delta would cost the whole
 * length each time.
 */
export interface Gathered {
  readonly pieces: string[];
  readonly count: number;
  /** Total characters, including those dropped. */
  readonly length: number;
  /** Characters dropped from the beginning to stay within a limit. */
  readonly dropped: number;
}

export function gather(text: string): Gathered {
  return text === ""
    ? { pieces: [], count: 0, length: 0, dropped: 0 }
    : { pieces: [text], count: 1, length: text.length, dropped: 0 };
}

/** Appends text. The old value stays valid; appending twice to the same value copies its pieces. */
export function append(gathered: Gathered, text: string): Gathered {
  if (text === "") return gathered;
  const pieces =
    gathered.pieces.length === gathered.count
      ? gathered.pieces
      : gathered.pieces.slice(0, gathered.count);
  pieces.push(text);
  return {
    pieces,
    count: gathered.count + 1,
    length: gathered.length + text.length,
    dropped: gathered.dropped,
  };
}

/** Keeps between `limit` and twice `limit` characters at the end, so that the cost of dropping is amortised. */
export function keepTail(gathered: Gathered, limit: number): Gathered {
  if (gathered.length - gathered.dropped <= 2 * limit) return gathered;
  const tail = textOf(gathered).slice(-limit);
  return {
    pieces: [tail],
    count: 1,
    length: gathered.length,
    dropped: gathered.length - tail.length,
  };
}

const joined = new WeakMap<Gathered, string>();

/** The retained text, without what was dropped. Its pieces are joined only once per value. */
export function textOf(gathered: Gathered): string {
  if (gathered.count === 0) return "";
  let text = joined.get(gathered);
  if (text === undefined) {
    text = gathered.pieces.slice(0, gathered.count).join("");
    joined.set(gathered, text);
  }
  return text;
}

/**
 * The text after the first `from` characters, of which dropped ones count; "" if there is none. Does not read earlier
 * pieces.
 */
export function textSince(gathered: Gathered, from: number): string {
  const newChars = gathered.length - Math.max(from, gathered.dropped);
  if (newChars <= 0) return "";
  let missing = newChars;
  let first = gathered.count;
  while (first > 0 && missing > 0) {
    first -= 1;
    missing -= gathered.pieces[first]?.length ?? 0;
  }
  return gathered.pieces.slice(first, gathered.count).join("").slice(-newChars);
}
