import type { Parser, Tree } from "@lezer/common";
import { highlightCode, tagHighlighter } from "@lezer/highlight";
import { loadLanguage } from "./languages.ts";
import { SYNTAX_COLOURS } from "../language/syntax-colours.ts";

/** A piece of code of one colour. */
export interface ColouredPiece {
  text: string;
  /** A variable of the page; absent: as the text around it. */
  colour?: string;
}

/** Names that people write behind ``` and files do not end with. */
const NAMES: Record<string, string> = {
  javascript: "js",
  typescript: "ts",
  xml: "html",
  jsonc: "json",
  scss: "css",
};

const colours = tagHighlighter(SYNTAX_COLOURS.map(({ tag, colour }) => ({ tag, class: colour })));

/** Time that the parser takes at once, and in all, in milliseconds. */
const SLICE_MS = 8;
const LIMIT_MS = 400;

/**
 * Code in colours, all of it and in its order. The page goes on while it is read.
 * @returns undefined if the language is not known, or if the code takes too long
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

/** Broken code can make a parser take seconds: it is given up then. */
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
