import { useState, type RefObject } from "react";
import { flushSync } from "react-dom";

/** Turns that are drawn at first, and more of them each time: a long conversation opens as fast as a short one. */
const STEP = 30;

/**
 * Which turns are drawn: the latest ones, and those before them when they are asked for.
 * @param outer what scrolls; what is read stays where it is when turns come above it
 * @returns `from`, the index of the first that is drawn
 */
export function useLatestTurns(
  count: number,
  outer: RefObject<HTMLElement | null>,
): { from: number; showEarlier: () => void } {
  const [most, setMost] = useState(STEP);
  const showEarlier = () => {
    const box = outer.current;
    const below = box ? box.scrollHeight - box.scrollTop : 0;
    flushSync(() => setMost(most + STEP));
    box?.scrollTo({ top: box.scrollHeight - below });
  };
  return { from: Math.max(0, count - most), showEarlier };
}
