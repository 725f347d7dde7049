import { useEffect, useState, type RefObject } from "react";

/** The name of the highlight that the style sheet colours. */
const NAME = "found";
/** Maximum number of highlighted places. */
const MAX_MARKS = 500;

/**
 * Shows only the sections of a box (`data-section`) that contain every word of the query, in the page's language, and
 * highlights the words.
 * @returns the number of sections; undefined without a query
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
  if (!("highlights" in CSS)) return;
  const ranges: Range[] = [];
  if (terms.length > 0) {
    const walker = document.createTreeWalker(element, NodeFilter.SHOW_TEXT);
    for (
      let node = walker.nextNode();
      node && ranges.length < MAX_MARKS;
      node = walker.nextNode()
    ) {
      const text = (node.nodeValue ?? "").toLocaleLowerCase();
      for (const word of terms)
        for (let at = text.indexOf(word); at >= 0; at = text.indexOf(word, at + word.length)) {
          // Lower-casing can turn one letter into two.
          if (at + word.length > (node.nodeValue ?? "").length) break;
          const range = document.createRange();
          range.setStart(node, at);
          range.setEnd(node, at + word.length);
          ranges.push(range);
        }
    }
  }
  if (ranges.length === 0) CSS.highlights.delete(NAME);
  else CSS.highlights.set(NAME, new Highlight(...ranges));
}
