import { headOf } from "@treadle/protocol/safe-text";
import type { Clock } from "../ports/clock.ts";

/** Pieces of a stream that arrive within this time are one event: a frame shows no more. */
const COALESCE_MS = 20;
/** UTF-16 units of one such event at most: a burst that leaves no time between its pieces is divided, and a long piece. */
export const EVENT_LIMIT = 32_768;

/** Gathers pieces of one stream at a time into events of at most 20 ms. */
export interface Coalescer {
  /** A piece of the stream `key`; another key's pieces are emitted first, so that order is kept. */
  push(key: string, text: string, emit: (text: string) => void): void;
  /** Emits what is held. */
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
