import type { Picked } from "./picked.ts";

/** Words that an element shows before its source has them. */
export interface TriedWords {
  words: string;
  /** What stands in the source meanwhile. */
  written: string;
  path: Picked["path"];
}

/**
 * The element that the page speaks of, with the words that stand in its source: a page that is asked to show others says
 * those, and by those nothing would be found.
 */
export function asWritten<T extends Picked | undefined>(
  element: T,
  tried: TriedWords | undefined,
): T {
  if (!element || !tried || element.path.length !== tried.path.length) return element;
  const same = element.path.every(([tag, nth], at) => {
    const [triedTag, triedNth] = tried.path[at]!;
    return tag === triedTag && nth === triedNth;
  });
  return same ? { ...element, text: tried.written } : element;
}
