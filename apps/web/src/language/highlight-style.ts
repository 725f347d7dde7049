import { HighlightStyle } from "@codemirror/language";
import { tags } from "@lezer/highlight";
import { SYNTAX_COLOURS } from "./syntax-colours.ts";

/** The colours of code in the editor and in documentation from language servers. */
export const highlightStyle = HighlightStyle.define([
  ...SYNTAX_COLOURS.map(({ tag, colour, italic }) => {
    return { tag, color: `var(${colour})`, fontStyle: italic ? "italic" : undefined };
  }),
  { tag: tags.heading, fontWeight: "600" },
  { tag: tags.link, color: "var(--accent)", textDecoration: "underline" },
]);

const CLASSES = new Set(
  highlightStyle.specs.flatMap(({ tag }) =>
    [tag].flat().flatMap((one) => highlightStyle.style([one])?.split(" ") ?? []),
  ),
);

/** Keeps only the CSS classes that colour code. Foreign text could otherwise use any class of the page, such as `fixed`. */
export const highlightClasses = (className: string): string =>
  className
    .split(/\s+/)
    .filter((name) => CLASSES.has(name))
    .join(" ");
