import type { Parser, Tree } from "@lezer/common";
import type { SourceElement } from "./source-element.ts";
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
  return [...text.matchAll(/(<style\b[^>]*>)(.*?)<\/style\s*>/gis)].map(
    ({ index, 1: open = "", 2: inner = "" }) => ({
      offset: index + open.length,
      text: inner,
      tree: parser.parse(inner),
    }),
  );
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
