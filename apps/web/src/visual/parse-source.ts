import type { Parser, Tree } from "@lezer/common";
import type { Slice, SourceElement } from "./source-element.ts";
import { readJsx } from "./read-jsx.ts";
import { readMarkup } from "./read-markup.ts";

/** A parsed file. */
export interface Parsed {
  elements: SourceElement[];
  /** Number of syntax errors; an edit may not increase it. */
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

/** Parses the elements of a source file; undefined if its language is not supported. */
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

/** A style sheet within a file. */
export interface Sheet {
  /** Its offset in the file. */
  offset: number;
  text: string;
  tree: Tree;
}

/** The style sheets of a file: the file itself, or the contents of its `<style>` elements. */
export async function parseSheets(path: string, text: string): Promise<Sheet[]> {
  const parser: Parser = await styles();
  if (/^(?:css|pcss|postcss|scss|less)$/.test(endingOf(path)))
    return [{ offset: 0, text, tree: parser.parse(text) }];
  return styleElements(text).map(({ from, to }) => {
    const inner = text.slice(from, to);
    return { offset: from, text: inner, tree: parser.parse(inner) };
  });
}

/**
 * The ranges of the contents of `<style>` elements. Not found by a regular expression, because that takes quadratic
 * time on many unclosed ones (A78).
 */
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
