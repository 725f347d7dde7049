/** Elements that end a run of text: a match does not reach from one into the next. */
const BLOCKS =
  "p, li, pre, td, th, h1, h2, h3, h4, h5, h6, div, label, button, summary, section, article";

/**
 * An expression for a literal text in any case; white space in it stands for any white space. Undefined for an empty
 * text.
 */
export function literalExpression(text: string): RegExp | undefined {
  const words = text.trim().split(/\s+/).filter(Boolean);
  if (words.length === 0) return undefined;
  const escaped = words.map((word) => word.replaceAll(/[.*+?^${}()|[\]\\/]/g, "\\$&"));
  return new RegExp(escaped.join("\\s+"), "giu");
}

/**
 * The ranges in an element's text that match, by block in the order of the document, and by expression within a block.
 * A match may reach across inline elements.
 * @param skipped selector of elements whose text is left out
 * @param limit maximum number of ranges
 */
export function matchingRanges(
  element: Element,
  expressions: readonly RegExp[],
  { limit, skipped }: { limit: number; skipped?: string },
): Range[] {
  const ranges: Range[] = [];
  let run: Text[] = [];
  let block: Element | null | undefined;
  const flush = () => {
    if (run.length > 0) addRanges(ranges, run, expressions, limit);
    run = [];
  };
  const walker = document.createTreeWalker(element, NodeFilter.SHOW_TEXT);
  for (let node = walker.nextNode(); node && ranges.length < limit; node = walker.nextNode()) {
    const parent = node.parentElement;
    if (skipped !== undefined && parent?.closest(skipped)) continue;
    const around = parent?.closest(BLOCKS);
    if (around !== block) flush();
    block = around;
    run.push(node as Text);
  }
  flush();
  return ranges;
}

function addRanges(
  ranges: Range[],
  run: readonly Text[],
  expressions: readonly RegExp[],
  limit: number,
): void {
  const text = run.map(({ data }) => data).join("");
  for (const expression of expressions)
    for (const { 0: match, index } of text.matchAll(expression)) {
      if (ranges.length >= limit) return;
      const range = document.createRange();
      let from = 0;
      for (const node of run) {
        const to = from + node.data.length;
        if (index >= from && index < to) range.setStart(node, index - from);
        if (index + match.length > from && index + match.length <= to)
          range.setEnd(node, index + match.length - from);
        from = to;
      }
      ranges.push(range);
    }
}

/**
 * Highlights ranges, in place of those highlighted before under that name; the style sheet has its colours. Does
 * nothing in a browser without the CSS highlight API.
 */
export function showMarks(name: "found" | "found-current", ranges: readonly Range[]): void {
  if (!("highlights" in CSS)) return;
  if (ranges.length === 0) CSS.highlights.delete(name);
  else CSS.highlights.set(name, new Highlight(...ranges));
}
