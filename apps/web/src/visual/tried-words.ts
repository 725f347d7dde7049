import type { Picked } from "./picked.ts";

/** Text that an element shows before the source has it. */
export interface TriedWords {
  words: string;
  /** The text in the source meanwhile. */
  written: string;
  path: Picked["path"];
}

/**
 * The picked element with the text of its source. A page that shows a trial text reports that text, which would not be
 * found in the source.
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
