import { parseAttributes } from "./attributes.ts";
import { meantAction } from "./meant-action.ts";
import { ACTION, ARTIFACT } from "./tags.ts";

/** White space accepted around a tag's slash, as by the parser. */
const BLANKS = "[ \\t\\n\\v\\f\\r]{0,32}";
/**
 * Maximum length of a value, and of a tag before its first `>`, so that unclosed ones are not
 * searched repeatedly.
 */
const MOST = 1_024;
/** A quoted value; an unclosed one ends with a line that ends in `>`. */
const quoted = (quote: string) =>
  `${quote}(?:[^${quote}>]|>(?!\\r?\\n)){0,${MOST}}(?:${quote}|(?=>\\r?\\n))`;
const ATTRIBUTES = `(?=[^>]{0,${MOST}}>)(?:[^>=]|=(?!\\s*["'])|=\\s*(?:${quoted('"')}|${quoted("'")}))*`;

/** A name in any case (with the flag `i`), with optional separators between its words. */
const named = (name: string) => `[-_]*${[...name].join("[-_]*")}[-_]*`;
const opening = (name: string) => `<${BLANKS}${named(name)}(?=[\\s/>])${ATTRIBUTES}>`;
const closing = (name: string) => `<${BLANKS}/${BLANKS}${named(name)}${BLANKS}>`;

/**
 * The dialect's tags as the parser accepts them, as sources of patterns with the flag `i`, for
 * finding them in a text that was already parsed, for example where a cut answer is open. The last
 * one is the beginning of an action's tag only.
 */
export const TAG_PATTERNS = {
  artifact: opening(ARTIFACT),
  artifactEnd: closing(ARTIFACT),
  action: opening(ACTION),
  actionEnd: closing(ACTION),
  actionBegin: `<${BLANKS}${named(ACTION)}(?=[\\s/>])`,
} as const;

/** The tags' names in lower-cased text, without separators between their words. */
export const TAG_NAMES = { artifact: ARTIFACT, action: ACTION } as const;

/**
 * The attributes of an opening tag, translated into the dialect's own: lower-case names to values.
 */
export function attributesOf(tag: string): ReadonlyMap<string, string> {
  const [name = ""] = /^<\s*[\w-]+/.exec(tag) ?? [];
  return meantAction(parseAttributes(tag.slice(name.length).replace(/\/?>\s*$/, "")));
}
