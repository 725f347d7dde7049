import { useEffect, useState, type RefObject } from "react";

/** Number of rows drawn beyond the edges, so that fast scrolling shows no gap. */
const OVERSCAN_ROWS = 12;

/**
 * Which rows of equal height are visible in their scrolling box; the others need not be drawn.
 * @param height the height of a row, in pixels
 */
export function useWindow(
  box: RefObject<HTMLElement | null>,
  count: number,
  height: number,
): { from: number; to: number; show(index: number): void } {
  const [seen, setSeen] = useState({ from: 0, to: 60 });
  useEffect(() => {
    const element = box.current;
    if (!element) return;
    const measure = () => {
      const from = Math.max(0, Math.floor(element.scrollTop / height) - OVERSCAN_ROWS);
      const to = Math.ceil((element.scrollTop + element.clientHeight) / height) + OVERSCAN_ROWS;
      setSeen((before) => (before.from === from && before.to === to ? before : { from, to }));
    };
    measure();
    element.addEventListener("scroll", measure, { passive: true });
    const sizes = new ResizeObserver(measure);
    sizes.observe(element);
    return () => {
      element.removeEventListener("scroll", measure);
      sizes.disconnect();
    };
  }, [box, height]);
  return {
    from: Math.min(seen.from, count),
    to: Math.min(seen.to, count),
    show(index) {
      const element = box.current;
      if (!element) return;
      const top = index * height;
      if (top < element.scrollTop) element.scrollTo({ top });
      else if (top + height > element.scrollTop + element.clientHeight)
        element.scrollTo({ top: top + height - element.clientHeight });
    },
  };
}
