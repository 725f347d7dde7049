import { PROSE_FILE } from "@treadle/dialects/meant";

/** Characters of a line that is looked at; a longer one holds code. */
const LINE_CHARACTERS = 240;
/** A comment that takes the whole line, in the syntaxes that files have, with what it says. */
const COMMENT =
  /^(?:\{?\/\*+(?<block>.*?)\*+\/\}?|\/\/+(?<line>.*)|<!--(?<markup>.*?)-->|#+(?!!)(?<hash>.*)|--(?<dashes>.*)|;+(?<semicolon>.*)|%+(?<percent>.*))$/su;
/** Words of any script, with what stands between words. Signs of code are no words. */
const WORDS = /^[\p{L}\p{M}\p{N}\s,.'’"“”()[\]:：，。、-]*$/u;
/** In these a line of three dots means something else. */
const OTHER_DOTS = /\.(?:pyi?|ya?ml)$/i;

/**
 * The first line that stands for text which was left out: a comment that is an ellipsis, or an ellipsis with nothing but
 * words around it, in any language. Undefined if there is none.
 * @param before lines that the file has already are its own
 * @param leads only an ellipsis that begins the comment counts: "// Loading..." in a new file says something
 */
export function findEllipsis(
  path: string,
  content: string,
  before = "",
  leads = false,
): string | undefined {
  if (!/\.{3}|…/.test(content)) return undefined;
  const own = new Set(before.split("\n").map((line) => line.trim()));
  return content
    .split("\n")
    .map((line) => line.trim())
    .find((line) => isEllipsis(path, line, leads) && !own.has(line));
}

function isEllipsis(path: string, line: string, leads: boolean): boolean {
  if (line.length > LINE_CHARACTERS || !/\.{3}|…/.test(line)) return false;
  if (/^(?:\.{3}|…)$/.test(line)) return !OTHER_DOTS.test(path) && !PROSE_FILE.test(path);
  const groups = COMMENT.exec(line)?.groups;
  if (!groups) return false;
  // A heading in Markdown begins as a comment elsewhere.
  if (PROSE_FILE.test(path) && groups["markup"] === undefined) return false;
  const comment = (Object.values(groups).find((one) => one !== undefined) ?? "").trim();
  const bare = comment.replace(/^[([]+|[)\]]+$/g, "").trim();
  const begins = /^(?:\.{3}|…)/.test(bare);
  const ends = /(?:\.{3}|…)$/.test(bare);
  return (begins || (ends && !leads)) && WORDS.test(bare.replaceAll("…", ""));
}
