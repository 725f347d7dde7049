import type { LogEntry } from "@treadle/protocol";

/** The usual interval: text updated 20 times a second appears continuous, at a third of the cost of 60 times. */
const FLOWING_MS = 50;
/** Interval while only a long file is written, which nobody reads meanwhile. */
const LONG_FILE_MS = 200;
/** Length from which a file counts as long, in characters. */
const LONG_FILE_CHARS = 8_000;
/** Interval while more text arrives than can be read. */
const FLOOD_MS = 400;
/** Characters that fill a screen. */
const SCREEN_CHARS = 2_000;

/** Computes the interval between updates, in milliseconds. Create one per stream and pass it all entries. */
export function createPace(): (waiting: readonly LogEntry[]) => number {
  const lengths = new Map<string, number>();
  let counted = 0;
  return (waiting) => {
    let long = waiting.length > 0;
    let chars = 0;
    for (const { seq, event } of waiting) {
      if (event.type !== "call-delta") {
        long = false;
        if (event.type === "call-end") lengths.delete(event.call);
        continue;
      }
      chars += event.text.length;
      const before = lengths.get(event.call) ?? 0;
      const length = seq > counted ? before + event.text.length : before;
      lengths.set(event.call, length);
      if (length < LONG_FILE_CHARS) long = false;
    }
    counted = Math.max(counted, waiting.at(-1)?.seq ?? 0);
    if (!long) return FLOWING_MS;
    return chars > SCREEN_CHARS ? FLOOD_MS : LONG_FILE_MS;
  };
}
