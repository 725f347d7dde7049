import { collapse, decode, type Reason, type SourceElement } from "./source-element.ts";
import type { Picked } from "./picked.ts";

export type Found = { element: SourceElement } | { refused: Reason };

/** A position in a source file, counted from 1. */
export interface Position {
  line: number;
  column: number;
}

/** The offset of a line and column in a text, in characters; the text's length if it ends before them. */
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
 * The element at a position reported by a framework: exactly there, or the only one of its tag in that line, since
 * source maps may be some characters off. `picked`: the element must match it.
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

/** Refuses an element found by position if its literal attributes or text differ from the picked element's. */
function certain(element: SourceElement, picked: Picked | undefined): Found {
  if (!picked) return { element };
  if (!agrees(element, picked)) return { refused: { why: "nowhere" } };
  const words = element.words(picked.text);
  const differs = picked.text !== "" && "refused" in words && words.refused.why === "differs";
  return differs ? words : { element };
}

/** The element at the end of a path from the document's root. */
export function findByPath(elements: readonly SourceElement[], picked: Picked): Found {
  let within: SourceElement | undefined;
  for (const [tag, nth] of picked.path) {
    const inside = elements.filter((one) => one.parent === within && sameTag(one.tag, tag));
    // The source may omit `<html>`, `<head>` and `<body>`, which every page has.
    if (inside.length === 0 && /^(?:html|head|body)$/.test(tag)) continue;
    within = inside[nth];
    if (!within) return { refused: { why: "nowhere" } };
  }
  return within && agrees(within, picked) ? { element: within } : { refused: { why: "nowhere" } };
}

/** The only element in a component's file that matches the picked one by tag, static attributes and text. */
export function findAlike(elements: readonly SourceElement[], picked: Picked): Found {
  const alike = elements.filter((one) => sameTag(one.tag, picked.tag) && agrees(one, picked));
  const withText = alike.filter((one) => "literal" in one.words(picked.text));
  const other = alike.filter((one) => {
    const words = one.words(picked.text);
    return "literal" in words || words.refused.why !== "differs";
  });
  const found = withText.length > 0 && picked.text !== "" ? withText : other;
  if (found.length === 1) return { element: found[0]! };
  return {
    refused: found.length === 0 ? { why: "nowhere" } : { why: "several", count: found.length },
  };
}

const sameTag = (one: string, other: string) => one.toLowerCase() === other.toLowerCase();

/** Whether the literal id and classes in the source match those on the page. */
function agrees({ attributes }: SourceElement, { id, classes }: Picked): boolean {
  const named = attributes.get("id");
  if (named && named.value !== id) return false;
  const there = new Set(classes.split(/\s+/));
  const written = collapse(
    decode((attributes.get("class") ?? attributes.get("className"))?.value ?? ""),
  );
  return written === "" || written.split(" ").every((one) => there.has(one));
}
