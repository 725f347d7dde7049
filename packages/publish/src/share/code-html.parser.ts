import { parser as css } from "@lezer/css";
import { highlightCode, tagHighlighter, tags, type Tag } from "@lezer/highlight";
import { parser as html } from "@lezer/html";
import { parser as javascript } from "@lezer/javascript";
import { parser as json } from "@lezer/json";
import { escapeHtml } from "./html.ts";

/** Maximum length of code with syntax highlighting, in characters. */
const MAX_COLOURED_CHARS = 20_000;

interface Parser {
  parse(code: string): Parameters<typeof highlightCode>[1];
}

const script = javascript.configure({ dialect: "jsx" });
const typed = javascript.configure({ dialect: "ts jsx" });
const PARSERS = new Map<string, Parser>([
  ...["js", "mjs", "cjs", "jsx", "javascript"].map((name) => [name, script] as const),
  ...["ts", "mts", "cts", "tsx", "typescript"].map((name) => [name, typed] as const),
  ...["css", "scss"].map((name) => [name, css] as const),
  ...["html", "htm", "svg", "vue", "svelte", "xml"].map((name) => [name, html] as const),
  ...["json", "jsonc"].map((name) => [name, json] as const),
]);

const CLASSES: { tag: Tag[]; class: string }[] = [
  { tag: [tags.comment, tags.meta], class: "c" },
  { tag: [tags.string, tags.special(tags.string), tags.regexp], class: "s" },
  { tag: [tags.number, tags.bool, tags.null, tags.atom], class: "n" },
  { tag: [tags.keyword, tags.modifier, tags.operatorKeyword, tags.controlKeyword], class: "k" },
  {
    tag: [tags.function(tags.variableName), tags.function(tags.propertyName), tags.attributeName],
    class: "f",
  },
  { tag: [tags.typeName, tags.className, tags.tagName], class: "t" },
];
const colours = tagHighlighter(CLASSES);

/**
 * Renders code as HTML, highlighted if its language is known.
 * @param language the word after ```, or a file's extension
 */
export function parse(code: string, language: string): string {
  const parser = PARSERS.get(language.toLowerCase());
  if (!parser || code.length > MAX_COLOURED_CHARS) return escapeHtml(code);
  let out = "";
  highlightCode(
    code,
    parser.parse(code),
    colours,
    (text, classes) => {
      const name = classes.split(" ").at(-1);
      out += name ? `<span class="${name}">${escapeHtml(text)}</span>` : escapeHtml(text);
    },
    () => (out += "\n"),
  );
  return out;
}
