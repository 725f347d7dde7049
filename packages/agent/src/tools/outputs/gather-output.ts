import { headOf, tailOf } from "@treadle/protocol/safe-text";
import { OUTPUT_KEPT } from "./limits.ts";

export interface GatheredOutput {
  add(text: string): void;
  /** The complete output, or its beginning and end with a line between them. */
  text(): string;
}

/** Collects a command's output, up to `limit` characters. */
export function gatherOutput(limit = OUTPUT_KEPT): GatheredOutput {
  const half = Math.floor(limit / 2);
  let head = "";
  let tail = "";
  let left = 0;
  return {
    add(text) {
      const room = half - head.length;
      const begun = room > 0 && tail === "" ? headOf(text, room) : "";
      head += begun;
      tail += text.slice(begun.length);
      // Cut at twice its length and not at each chunk, since copying it each time would be
      // quadratic.
      if (tail.length > half * 2) cut();
    },
    text() {
      cut();
      return left === 0 ? head + tail : `${head}\n… ${left} characters were not kept …\n${tail}`;
    },
  };

  function cut(): void {
    if (tail.length <= half) return;
    const newTail = tailOf(tail, half);
    left += tail.length - newTail.length;
    tail = newTail;
  }
}
