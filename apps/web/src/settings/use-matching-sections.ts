import { useEffect, useState, type RefObject } from "react";

/** What the style sheet gives a ground to. */
const NAME = "found";
/** Places that are marked at the most. */
const MARKS = 500;

/**
 * Leaves those parts of a box (`data-section`) in sight in which every word of the query is written, in whatever language
 * they stand there, and marks the places.
 * @returns how many there are; undefined: nothing is looked for
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
    // What a part reads from the server comes later.
    const watch = new MutationObserver(look);
    watch.observe(element, { childList: true, subtree: true, characterData: true });
    return () => {
      watch.disconnect();
      mark(element, []);
    };
  }, [box, query]);
  return found;
}

/** All that is written there, what fields say before anything is typed among it. */
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
    for (let node = walker.nextNode(); node && ranges.length < MARKS; node = walker.nextNode()) {
      const text = (node.nodeValue ?? "").toLocaleLowerCase();
      for (const word of terms)
        for (let at = text.indexOf(word); at >= 0; at = text.indexOf(word, at + word.length)) {
          // A letter may have become two in lower case.
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
