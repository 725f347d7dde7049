import { tags, type Tag } from "@lezer/highlight";

/** The CSS variable for each syntax tag, in the editor and wherever else code is shown. */
export const SYNTAX_COLOURS: { tag: Tag[]; colour: string; italic?: true }[] = [
  { tag: [tags.comment, tags.meta], colour: "--quiet", italic: true },
  { tag: [tags.string, tags.special(tags.string), tags.regexp], colour: "--syntax-string" },
  { tag: [tags.number, tags.bool, tags.null, tags.atom], colour: "--syntax-number" },
  {
    tag: [tags.keyword, tags.modifier, tags.operatorKeyword, tags.controlKeyword],
    colour: "--syntax-keyword",
  },
  {
    tag: [tags.function(tags.variableName), tags.function(tags.propertyName), tags.attributeName],
    colour: "--syntax-name",
  },
  { tag: [tags.typeName, tags.className, tags.tagName], colour: "--syntax-type" },
  { tag: [tags.invalid], colour: "--failed" },
];
