import { collapse, decode, type Reason, type SourceElement } from "./source-element.ts";
import type { Picked } from "./picked.ts";

export type Found = { element: SourceElement } | { refused: Reason };

/** A place in a source, from 1. */
export interface Position {
  line: number;
  column: number;
}

/** Where a line and column are in a text, in characters from its beginning. */
export function offsetOf(text: string, { line, column }: Position): number {
  let from = 0;
  for (let n = 1; n < line; n++) {
    const end = text.indexOf("\n", from);
    if (end === -1) return text.length;
    from = end + 1;
  }
  return Math.min(text.length, from + column - 1);
}

/**
 * The element that begins at a place which a framework named: there exactly, or the only one of its tag in that line,
 * since maps of sources are now and then some characters off. `picked`: it has to be like the one in the page.
 */
export function findAt(
  text: string,
  elements: readonly SourceElement[],
  at: Position,
  picked?: Picked,
): Found {
  const tag = picked?.tag;
  const offset = offsetOf(text, at);
  const fits = (one: SourceElement) => tag === undefined || sameTag(one.tag, tag);
  const exact = elements.find((one) => one.from === offset && fits(one));
  if (exact) return certain(exact, picked);
  const start = text.lastIndexOf("\n", offset - 1) + 1;
  const end = text.indexOf("\n", offset);
  const inLine = elements.filter(
    (one) => one.from >= start && (end === -1 || one.from < end) && fits(one),
  );
  if (inLine.length === 1) return certain(inLine[0]!, picked);
  return {
    refused: inLine.length === 0 ? { why: "nowhere" } : { why: "several", count: inLine.length },
  };
}

/** What was found by its place is the one in the page, by what stands in the source as it is. */
function certain(element: SourceElement, picked: Picked | undefined): Found {
  if (!picked) return { element };
  if (!agrees(element, picked)) return { refused: { why: "nowhere" } };
  const words = element.words(picked.text);
  const differs = picked.text !== "" && "refused" in words && words.refused.why === "differs";
  return differs ? words : { element };
}

/** The element of a document that stands at the end of a way from its root. */
export function findByPath(elements: readonly SourceElement[], picked: Picked): Found {
  let within: SourceElement | undefined;
  for (const [tag, nth] of picked.path) {
    const inside = elements.filter((one) => one.parent === within && sameTag(one.tag, tag));
    // A document may leave out what every document has.
    if (inside.length === 0 && /^(?:html|head|body)$/.test(tag)) continue;
    within = inside[nth];
    if (!within) return { refused: { why: "nowhere" } };
  }
  return within && agrees(within, picked) ? { element: within } : { refused: { why: "nowhere" } };
}

/** The only element of a component's file that is like the one in the page: by tag, static attributes and words. */
export function findAlike(elements: readonly SourceElement[], picked: Picked): Found {
  const alike = elements.filter((one) => sameTag(one.tag, picked.tag) && agrees(one, picked));
  const saying = alike.filter((one) => "literal" in one.words(picked.text));
  const other = alike.filter((one) => {
    const words = one.words(picked.text);
    return "literal" in words || words.refused.why !== "differs";
  });
  const found = saying.length > 0 && picked.text !== "" ? saying : other;
  if (found.length === 1) return { element: found[0]! };
  return {
    refused: found.length === 0 ? { why: "nowhere" } : { why: "several", count: found.length },
  };
}

const sameTag = (one: string, other: string) => one.toLowerCase() === other.toLowerCase();

/** What stands in the source as it is must be so in the page: the id, and each class. */
function agrees({ attributes }: SourceElement, { id, classes }: Picked): boolean {
  const named = attributes.get("id");
  if (named && named.value !== id) return false;
  const there = new Set(classes.split(/\s+/));
  const written = collapse(
    decode((attributes.get("class") ?? attributes.get("className"))?.value ?? ""),
  );
  return written === "" || written.split(" ").every((one) => there.has(one));
}
