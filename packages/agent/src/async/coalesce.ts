import { headOf } from "@treadle/protocol/safe-text";
import type { Clock } from "../ports/clock.ts";

/** Pieces of a stream that arrive within this time become one event: a frame of the page cannot show more of them. */
const COALESCE_MS = 20;
/** Maximum size of one event, in UTF-16 units. Longer pieces, and bursts without a pause, are divided. */
export const EVENT_LIMIT = 32_768;

/** Combines the pieces of a stream into events of at most 20 ms. Holds the pieces of one stream at a time. */
export interface Coalescer {
  /** Adds a piece of the stream `key`. Pieces held for another key are emitted first, to keep the order. */
  push(key: string, text: string, emit: (text: string) => void): void;
  /** Emits the pieces that are still held. */
  flush(): void;
}

export function createCoalescer(clock: Clock): Coalescer {
  let held:
    | { key: string; pieces: string[]; size: number; emit: (text: string) => void }
    | undefined;
  let timed = false;

  const flush = () => {
    const going = held;
    held = undefined;
    if (!going) return;
    let rest = going.pieces.join("");
    while (rest.length > EVENT_LIMIT) {
      const piece = headOf(rest, EVENT_LIMIT);
      going.emit(piece);
      rest = rest.slice(piece.length);
    }
    going.emit(rest);
  };
  const flushLater = () => {
    if (timed) return;
    timed = true;
    const timer = () => {
      timed = false;
      flush();
    };
    clock.sleep(COALESCE_MS).then(timer, timer);
  };
  return {
    push(key, text, emit) {
      if (text === "") return;
      if (held && held.key !== key) flush();
      held ??= { key, pieces: [], size: 0, emit };
      held.pieces.push(text);
      held.size += text.length;
      held.emit = emit;
      if (held.size >= EVENT_LIMIT) flush();
      flushLater();
    },
    flush,
  };
}
