import type { Parser, Tree } from "@lezer/common";
import { highlightCode, tagHighlighter } from "@lezer/highlight";
import { loadLanguage } from "./languages.ts";
import { SYNTAX_COLOURS } from "../language/syntax-colours.ts";

/** A span of code in one colour. */
export interface ColouredPiece {
  text: string;
  /** A CSS variable; undefined inherits the colour of the surrounding text. */
  colour?: string;
}

/** Language names used after ``` that are not file extensions. */
const NAMES: Record<string, string> = {
  javascript: "js",
  typescript: "ts",
  xml: "html",
  jsonc: "json",
  scss: "css",
};

const colours = tagHighlighter(SYNTAX_COLOURS.map(({ tag, colour }) => ({ tag, class: colour })));

/** Parser time per slice and in total, in milliseconds. */
const SLICE_MS = 8;
const LIMIT_MS = 400;

/**
 * Colours a piece of code, in order and without gaps. Yields to the page while it parses.
 * @returns undefined if the language is unknown or the code takes too long
 */
export async function highlight(
  code: string,
  language: string,
): Promise<ColouredPiece[] | undefined> {
  const name = language.toLowerCase();
  const support = await loadLanguage(`.${Object.hasOwn(NAMES, name) ? NAMES[name] : name}`);
  const tree = support && (await parseInSlices(support.language.parser, code));
  if (!tree) return undefined;
  const pieces: ColouredPiece[] = [];
  highlightCode(
    code,
    tree,
    colours,
    (text, classes) => {
      const colour = classes.split(" ").at(-1);
      pieces.push(colour ? { text, colour } : { text });
    },
    () => pieces.push({ text: "\n" }),
  );
  return pieces;
}

/** Broken code can make a parser take seconds, so parsing stops after a time limit. */
async function parseInSlices(parser: Parser, code: string): Promise<Tree | undefined> {
  const parse = parser.startParse(code);
  let spent = 0;
  for (;;) {
    const start = performance.now();
    for (let now = start; now - start < SLICE_MS; now = performance.now()) {
      const tree = parse.advance();
      if (tree) return tree;
    }
    spent += performance.now() - start;
    if (spent > LIMIT_MS) return undefined;
    await new Promise((resolve) => setTimeout(resolve));
  }
}
