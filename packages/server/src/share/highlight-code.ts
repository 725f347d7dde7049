import { parser as css } from "@lezer/css";
import { highlightCode, tagHighlighter, tags, type Tag } from "@lezer/highlight";
import { parser as html } from "@lezer/html";
import { parser as javascript } from "@lezer/javascript";
import { parser as json } from "@lezer/json";
import { escapeHtml } from "./html.ts";

/** Characters that are coloured; more of it is shown as it is. */
const COLOURED = 20_000;

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

/** Code as markup, in colours where its language is known. @param language as it stands behind ```, or a file's ending */
export function codeHtml(code: string, language: string): string {
  const parser = PARSERS.get(language.toLowerCase());
  if (!parser || code.length > COLOURED) return escapeHtml(code);
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
