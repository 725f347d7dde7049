import { useEffect, useEffectEvent, useRef, useState, type RefObject } from "react";
import { flushSync } from "react-dom";

/** Number of turns drawn at first, so that a long conversation opens as fast as a short one. */
const INITIAL_TURNS = 30;
/** Number of turns added at a time; drawing these fits into one frame. */
const TURNS_PER_STEP = 10;
/** More turns are added once the reader is this close to the first drawn one, in pixels. */
const AHEAD_PX = 2_000;

/**
 * Which turns are drawn: the latest ones, and earlier ones as the reader scrolls up.
 * @param outer the scrolling element; the reading position stays when turns are added above it
 * @param atEnd whether the reader is at the end; only then are the first turns removed as new ones arrive
 * @returns `from`: index of the first drawn turn; `earlier`: ref for the placeholder before it; `showFrom`: draws the
 * turns from another index on
 */
export function useLatestTurns(
  count: number,
  outer: RefObject<HTMLElement | null>,
  atEnd: boolean,
): {
  from: number;
  earlier: RefObject<HTMLButtonElement | null>;
  showEarlier: () => void;
  showFrom: (index: number) => void;
} {
  const [most, setMost] = useState(INITIAL_TURNS);
  const earlier = useRef<HTMLButtonElement>(null);
  const [held, setHeld] = useState<number>();
  const latest = Math.max(0, count - most);
  const from = atEnd ? latest : Math.min(held ?? latest, latest);
  if (!atEnd && held === undefined) setHeld(latest);
  if (atEnd && held !== undefined) setHeld(undefined);
  const showEarlier = () => {
    const box = outer.current;
    const below = box ? box.scrollHeight - box.scrollTop : 0;
    flushSync(() => {
      setMost(most + TURNS_PER_STEP);
      if (!atEnd) setHeld(Math.max(0, from - TURNS_PER_STEP));
    });
    box?.scrollTo({ top: box.scrollHeight - below });
  };
  const showFrom = (index: number) => {
    setMost(Math.max(most, count - index));
    if (!atEnd) setHeld(Math.min(from, index));
  };
  const onNear = useEffectEvent(showEarlier);
  useEffect(() => {
    if (!earlier.current) return;
    const observer = new IntersectionObserver(
      (entries) => {
        if (entries.some(({ isIntersecting }) => isIntersecting)) onNear();
      },
      { root: outer.current, rootMargin: `${AHEAD_PX}px 0px 0px` },
    );
    observer.observe(earlier.current);
    return () => observer.disconnect();
    // Observes again after each addition, because short turns may leave the placeholder in view.
  }, [from, outer]);
  return { from, earlier, showEarlier, showFrom };
}
