import { highlightCode, tagHighlighter } from "@lezer/highlight";
import { loadLanguage } from "./languages.ts";
import { SYNTAX_COLOURS } from "./syntax-colours.ts";

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

/** Code in colours, all of it and in its order; undefined where the language is not known. */
export async function highlight(
  code: string,
  language: string,
): Promise<ColouredPiece[] | undefined> {
  const name = language.toLowerCase();
  const support = await loadLanguage(`.${Object.hasOwn(NAMES, name) ? NAMES[name] : name}`);
  if (!support) return undefined;
  const pieces: ColouredPiece[] = [];
  highlightCode(
    code,
    support.language.parser.parse(code),
    colours,
    (text, classes) => {
      const colour = classes.split(" ").at(-1);
      pieces.push(colour ? { text, colour } : { text });
    },
    () => pieces.push({ text: "\n" }),
  );
  return pieces;
}
