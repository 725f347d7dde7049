import { useEffect, useEffectEvent, useRef, useState, type RefObject } from "react";
import { flushSync } from "react-dom";

/** Turns that are drawn at first: a long conversation opens as fast as a short one. */
const FIRST = 30;
/** And so many more at a time: what one frame has room for. */
const MORE = 10;
/** They come while the reader is still so far below them, in pixels. */
const AHEAD = 2_000;

/**
 * Which turns are drawn: the latest ones, and those before them as the reader goes up.
 * @param outer what scrolls; what is read stays where it is when turns come above it
 * @param atEnd whether the reader is at the end: only then the first ones go as new ones come
 * @returns `from`, the index of the first that is drawn; `earlier`, for what stands in the place of those before it; `showFrom`
 * draws those from another index on
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
  const [most, setMost] = useState(FIRST);
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
      setMost(most + MORE);
      if (!atEnd) setHeld(Math.max(0, from - MORE));
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
      { root: outer.current, rootMargin: `${AHEAD}px 0px 0px` },
    );
    observer.observe(earlier.current);
    return () => observer.disconnect();
    // Watched anew each time: where the ones that came were short, it is near still.
  }, [from, outer]);
  return { from, earlier, showEarlier, showFrom };
}
