import type { Parser, Tree } from "@lezer/common";
import type { Slice, SourceElement } from "./source-element.ts";
import { readJsx } from "./read-jsx.ts";
import { readMarkup } from "./read-markup.ts";

/** A file as it was parsed. */
export interface Parsed {
  elements: SourceElement[];
  /** How much of it cannot be read: an edit may not make it more. */
  errors: number;
}

const script = (typescript: boolean) =>
  import("@codemirror/lang-javascript").then(({ tsxLanguage, jsxLanguage }) =>
    typescript ? tsxLanguage.parser : jsxLanguage.parser,
  );
const markup = (matchClosingTags: boolean) =>
  import("@codemirror/lang-html").then(
    ({ html }) => html({ selfClosingTags: true, matchClosingTags }).language.parser,
  );
const styles = () => import("@codemirror/lang-css").then(({ cssLanguage }) => cssLanguage.parser);

const endingOf = (path: string) => path.slice(path.lastIndexOf(".") + 1).toLowerCase();

/** The elements of a source file; undefined: its language is none that can be edited so. */
export async function parseElements(path: string, text: string): Promise<Parsed | undefined> {
  const ending = endingOf(path);
  switch (ending) {
    case "tsx":
    case "jsx":
    case "js":
    case "mjs": {
      const tree = (await script(ending === "tsx")).parse(text);
      return { elements: readJsx(text, tree), errors: errorsOf(tree) };
    }
    case "html":
    case "htm":
    case "vue":
    case "svelte": {
      const braces = ending === "vue" || ending === "svelte";
      const tree = (await markup(!braces)).parse(text);
      return { elements: readMarkup(text, tree, braces), errors: errorsOf(tree) };
    }
    default:
      return undefined;
  }
}

/** A part of a file that is a style sheet. */
export interface Sheet {
  /** Where it begins in the file. */
  offset: number;
  text: string;
  tree: Tree;
}

/** The style sheets of a file: itself, or what its `<style>` elements hold. */
export async function parseSheets(path: string, text: string): Promise<Sheet[]> {
  const parser: Parser = await styles();
  if (/^(?:css|pcss|postcss|scss|less)$/.test(endingOf(path)))
    return [{ offset: 0, text, tree: parser.parse(text) }];
  return styleElements(text).map(({ from, to }) => {
    const inner = text.slice(from, to);
    return { offset: from, text: inner, tree: parser.parse(inner) };
  });
}

/** What stands in `<style>`. By hand: a pattern takes the square of a file that opens many and closes none (A78). */
function styleElements(text: string): Slice[] {
  const found: Slice[] = [];
  const small = text.toLowerCase();
  let at = 0;
  for (;;) {
    const open = small.indexOf("<style", at);
    const from = open === -1 ? 0 : small.indexOf(">", open) + 1;
    const to = from === 0 ? -1 : small.indexOf("</style", from);
    if (to === -1) return found;
    if (/[\s>/]/.test(small.charAt(open + 6))) found.push({ from, to });
    at = to;
  }
}

function errorsOf(tree: Tree): number {
  let errors = 0;
  tree.iterate({
    enter({ type }) {
      if (type.isError) errors++;
    },
  });
  return errors;
}
