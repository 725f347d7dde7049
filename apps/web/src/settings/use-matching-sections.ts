import { useEffect, useState, type RefObject } from "react";
import { literalExpression, matchingRanges, showMarks } from "../ui/text-marks.ts";

/** Maximum number of highlighted places. */
const MAX_MARKS = 500;

/**
 * Shows only the sections of a box (`data-section`) that contain every word of the query, in the page's language, and
 * highlights the words.
 * @returns the number of sections shown; undefined without a query
 */
export function useMatchingSections(
  box: RefObject<HTMLElement | null>,
  query: string,
): number | undefined {
  const [found, setFound] = useState<number>();
  useEffect(() => {
    const element = box.current;
    if (!element) return;
    const terms = query.toLocaleLowerCase().split(/\s+/).filter(Boolean);
    const look = () => {
      let count = 0;
      for (const part of element.querySelectorAll<HTMLElement>("[data-section]")) {
        const text = textOf(part);
        part.hidden = !terms.every((word) => text.includes(word));
        if (!part.hidden) count++;
      }
      setFound(terms.length === 0 ? undefined : count);
      mark(element, terms);
    };
    look();
    // Data loaded from the server changes a section later.
    const watch = new MutationObserver(look);
    watch.observe(element, { childList: true, subtree: true, characterData: true });
    return () => {
      watch.disconnect();
      mark(element, []);
    };
  }, [box, query]);
  return found;
}

/** All text of a section, including placeholders. */
function textOf(part: HTMLElement): string {
  const hints = [...part.querySelectorAll("[placeholder], [aria-label]")].map((one) =>
    [one.getAttribute("placeholder"), one.getAttribute("aria-label")].join(" "),
  );
  return [part.textContent, ...hints].join(" ").toLocaleLowerCase();
}

function mark(element: HTMLElement, terms: readonly string[]): void {
  const expressions = terms.flatMap((term) => literalExpression(term) ?? []);
  showMarks(
    "found",
    expressions.length > 0 ? matchingRanges(element, expressions, { limit: MAX_MARKS }) : [],
  );
}
