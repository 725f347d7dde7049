import { useEffect, useEffectEvent, type RefObject } from "react";
import type { ShownTurns } from "../fold/folded-turns.ts";
import { literalExpression, matchingRanges, showMarks } from "../ui/text-marks.ts";
import { useFind } from "./find-store.ts";
import { containsMessage } from "./use-show-search-target.ts";

/** Maximum number of highlighted places. */
const MAX_MARKS = 2_000;
/** Highlights follow a growing text at this interval, in milliseconds. */
const MARK_INTERVAL_MS = 200;
/** If a match is not drawn after this many frames, its line is scrolled to instead. */
const MAX_FRAMES = 30;
/** Number of frames in which to scroll to a match: lines are laid out as they come into view, which moves it. */
const SETTLING_FRAMES = 3;
/** Elements whose text is not searched. */
const SKIPPED = ".sr-only, [aria-hidden=true], button:not([aria-expanded])";

/** Highlights what a search finds in the conversation, and scrolls to the current match. */
export function useShowFound(
  shownTurns: readonly ShownTurns[],
  showFrom: (index: number) => void,
  outer: RefObject<HTMLElement | null>,
  leaveEnd: () => void,
): void {
  const query = useFind((state) => state.query);
  const current = useFind((state) => state.current);

  useEffect(() => {
    const box = outer.current;
    const expression = literalExpression(query);
    if (!box || !expression) return;
    const mark = () => {
      const { current: shown } = useFind.getState();
      showMarks("found", matchingRanges(box, [expression], { limit: MAX_MARKS, skipped: SKIPPED }));
      const range = shown && rangeOf(box, expression, shown);
      showMarks("found-current", range ? [range] : []);
    };
    let timer: ReturnType<typeof setTimeout> | undefined;
    const observer = new MutationObserver(() => {
      timer ??= setTimeout(() => {
        timer = undefined;
        mark();
      }, MARK_INTERVAL_MS);
    });
    observer.observe(box, { childList: true, characterData: true, subtree: true });
    mark();
    const unsubscribe = useFind.subscribe((now, before) => {
      if (now.current !== before.current) mark();
    });
    return () => {
      unsubscribe();
      observer.disconnect();
      clearTimeout(timer);
      showMarks("found", []);
      showMarks("found-current", []);
    };
  }, [query, outer]);

  const show = useEffectEvent((found: NonNullable<typeof current>) => {
    const index = shownTurns.findIndex((one) => containsMessage(one, found.message));
    if (index < 0) return;
    leaveEnd();
    showFrom(index);
    let frames = 0;
    let settled = 0;
    const scroll = () => {
      const box = outer.current;
      const expression = literalExpression(useFind.getState().query);
      if (!box || !expression || useFind.getState().current !== found) return;
      const range = rangeOf(box, expression, found);
      if (range || ++frames >= MAX_FRAMES) {
        leaveEnd();
        scrollTo(box, range ?? lineOf(box, found.line));
        // Nothing scrolls if it was already in view, so a reader at the end would go on following.
        box.dispatchEvent(new Event("scroll"));
        settled++;
      }
      if (settled < SETTLING_FRAMES) requestAnimationFrame(scroll);
    };
    requestAnimationFrame(scroll);
  });
  useEffect(() => {
    if (current) show(current);
  }, [current]);
}

const lineOf = (box: Element, line: string): Element | null =>
  box.querySelector(`[data-line="${CSS.escape(line)}"]`);

/**
 * The range of a match. If the line displays fewer matches than its text contains, the last displayed one; undefined if
 * it displays none.
 */
function rangeOf(
  box: Element,
  expression: RegExp,
  { line, nth }: { line: string; nth: number },
): Range | undefined {
  const element = lineOf(box, line);
  if (!element) return undefined;
  const ranges = matchingRanges(element, [expression], { limit: nth + 1, skipped: SKIPPED });
  return ranges[nth] ?? ranges.at(-1);
}

/** Scrolls every scrolling element around a range or element, up to `box`, so that it is in the middle of each. */
function scrollTo(box: Element, place: Range | Element | null): void {
  if (!place) return;
  let element = place instanceof Range ? place.startContainer.parentElement : place.parentElement;
  for (; element; element = element.parentElement) {
    if (element === box || getComputedStyle(element).overflowY === "auto") {
      const sight = element.getBoundingClientRect();
      const { top, height } = place.getBoundingClientRect();
      const middle = sight.top + sight.height / 2;
      element.scrollTop += top + Math.min(height, sight.height) / 2 - middle;
    }
    if (element === box) return;
  }
}
