import { PROSE_FILE } from "@treadle/dialects/meant";

/** Maximum length of a line that is examined, in characters; a longer one holds code. */
const LINE_CHARACTERS = 240;
/** A comment on a line of its own in the usual syntaxes, with its text. */
const COMMENT =
  /^(?:\{?\/\*+(?<block>.*?)\*+\/\}?|\/\/+(?<line>.*)|<!--(?<markup>.*?)-->|#+(?!!)(?<hash>.*)|--(?<dashes>.*)|;+(?<semicolon>.*)|%+(?<percent>.*))$/su;
/** Words of any script and their punctuation, but no code symbols. */
const WORDS = /^[\p{L}\p{M}\p{N}\s,.'’"“”()[\]:：，。、-]*$/u;
/** Languages in which a line of three dots has a meaning. */
const OTHER_DOTS = /\.(?:pyi?|ya?ml)$/i;

/**
 * Returns the first line that stands for omitted text: a comment with an ellipsis and nothing but
 * words around it, in any language. Undefined if there is none.
 * @param before lines already in the file, which are ignored
 * @param leads whether the ellipsis must begin the comment: "// Loading..." is an ordinary comment
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
  // A heading in Markdown looks like a comment in other languages.
  if (PROSE_FILE.test(path) && groups["markup"] === undefined) return false;
  const comment = (Object.values(groups).find((one) => one !== undefined) ?? "").trim();
  const bare = comment.replace(/^[([]+|[)\]]+$/g, "").trim();
  const begins = /^(?:\.{3}|…)/.test(bare);
  const ends = /(?:\.{3}|…)$/.test(bare);
  return (begins || (ends && !leads)) && WORDS.test(bare.replaceAll("…", ""));
}
