import { TreeFragment, type Parser, type Tree } from "@lezer/common";
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

/** Parser time per slice, in milliseconds. */
const SLICE_MS = 8;
/** Broken code can make a parser take seconds, so parsing stops after this time, and some more for each call. */
const LIMIT_MS = 400;
const MORE_MS_PER_CALL = 10;

/** Colours one text, which may grow between two calls. */
export class Highlighter {
  readonly #parser: Parser;
  #fragments: readonly TreeFragment[] = [];
  /** Parser time that is left, in milliseconds. */
  #leftMs = LIMIT_MS;

  constructor(parser: Parser) {
    this.#parser = parser;
  }

  /**
   * Colours `text` from `from` to its end, in order and without gaps. What an earlier call parsed is not parsed again,
   * so that a text that grows costs as much as one that is complete. Yields to the page while it parses.
   * @param text begins with the text of the previous call
   * @returns undefined if it takes too long
   */
  async highlight(text: string, from = 0): Promise<ColouredPiece[] | undefined> {
    const tree = await this.#parse(text);
    if (!tree) return undefined;
    this.#fragments = TreeFragment.addTree(tree, [], true);
    const pieces: ColouredPiece[] = [];
    const add = (piece: string, classes: string) => {
      const colour = classes.split(" ").at(-1);
      pieces.push(colour ? { text: piece, colour } : { text: piece });
    };
    highlightCode(text, tree, colours, add, () => pieces.push({ text: "\n" }), from);
    return pieces;
  }

  async #parse(text: string): Promise<Tree | undefined> {
    this.#leftMs += MORE_MS_PER_CALL;
    const parse = this.#parser.startParse(text, this.#fragments);
    for (;;) {
      const start = performance.now();
      for (let now = start; now - start < SLICE_MS; now = performance.now()) {
        const tree = parse.advance();
        if (!tree) continue;
        this.#leftMs -= now - start;
        return tree;
      }
      this.#leftMs -= performance.now() - start;
      if (this.#leftMs < 0) return undefined;
      await new Promise((resolve) => setTimeout(resolve));
    }
  }
}

/**
 * Creates a highlighter.
 * @param language a name as used after ```, or a file's extension
 * @returns undefined if the language is unknown
 */
export async function createHighlighter(language: string): Promise<Highlighter | undefined> {
  const name = language.toLowerCase();
  const support = await loadLanguage(`.${Object.hasOwn(NAMES, name) ? NAMES[name] : name}`);
  return support && new Highlighter(support.language.parser);
}

/**
 * Colours a piece of code, in order and without gaps. Yields to the page while it parses.
 * @returns undefined if the language is unknown or the code takes too long
 */
export async function highlight(
  code: string,
  language: string,
): Promise<ColouredPiece[] | undefined> {
  return (await createHighlighter(language))?.highlight(code);
}
