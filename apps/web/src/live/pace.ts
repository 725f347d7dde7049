import type { LogEntry } from "@treadle/protocol";

/** Text that grows 20 times a second reads as flowing, at a third of the cost of 60. */
const FLOWING_MS = 50;
/** Nobody reads along with a long file: it is drawn less often, and everything else as always. */
const LONG_FILE_MS = 200;
/** Characters from which on a file is a long one. */
const LONG_FILE = 8_000;
/** What fills a screen and more between two drawings cannot be read, however often it is drawn. */
const FLOOD_MS = 400;
/** Characters that fill one. */
const SCREEN = 2_000;

/** How often what comes is drawn: milliseconds between two drawings. One for each stream, given all of its entries. */
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
      if (length < LONG_FILE) long = false;
    }
    counted = Math.max(counted, waiting.at(-1)?.seq ?? 0);
    if (!long) return FLOWING_MS;
    return chars > SCREEN ? FLOOD_MS : LONG_FILE_MS;
  };
}
