import { OUTPUT_KEPT } from "./limits.ts";

export interface GatheredOutput {
  add(text: string): void;
  /** All of it, or its beginning and its end with a line between them. */
  text(): string;
}

/** Puts together what a command prints, at most `limit` characters of it. */
export function gatherOutput(limit = OUTPUT_KEPT): GatheredOutput {
  const half = Math.floor(limit / 2);
  let head = "";
  let tail = "";
  let left = 0;
  return {
    add(text) {
      const room = half - head.length;
      if (room > 0) head += text.slice(0, room);
      if (text.length <= room) return;
      tail += text.slice(Math.max(room, 0));
      // Cut at twice its length, not at each piece: copying it each time would be quadratic.
      if (tail.length > half * 2) cut();
    },
    text() {
      cut();
      return left === 0 ? head + tail : `${head}\n… ${left} characters were not kept …\n${tail}`;
    },
  };

  function cut(): void {
    if (tail.length <= half) return;
    left += tail.length - half;
    tail = tail.slice(-half);
  }
}
