import { parseAttributes } from "./attributes.ts";
import { meantAction } from "./meant-action.ts";
import { ACTION, ARTIFACT } from "./tags.ts";

/** White space that may stand before and behind a tag's slash, as the parser takes it. */
const BLANKS = "[ \\t\\n\\v\\f\\r]{0,32}";
/** Characters of a value, and of a tag before its first `>`: so that what never ends is not looked through again and again. */
const MOST = 1_024;
/** A quoted value; one that nothing closes ends with a line that ends in `>`. */
const quoted = (quote: string) =>
  `${quote}(?:[^${quote}>]|>(?!\\r?\\n)){0,${MOST}}(?:${quote}|(?=>\\r?\\n))`;
const ATTRIBUTES = `(?=[^>]{0,${MOST}}>)(?:[^>=]|=(?!\\s*["'])|=\\s*(?:${quoted('"')}|${quoted("'")}))*`;

/** A name in any letters (with the flag `i`), with what may stand between its words. */
const named = (name: string) => `[-_]*${[...name].join("[-_]*")}[-_]*`;
const opening = (name: string) => `<${BLANKS}${named(name)}(?=[\\s/>])${ATTRIBUTES}>`;
const closing = (name: string) => `<${BLANKS}/${BLANKS}${named(name)}${BLANKS}>`;

/**
 * The dialect's tags as the parser reads them, as sources of patterns with the flag `i`: for who looks for them in a text that
 * was read already, where an answer that was cut stands open. The last one is the beginning of an action's tag alone.
 */
export const TAG_PATTERNS = {
  artifact: opening(ARTIFACT),
  artifactEnd: closing(ARTIFACT),
  action: opening(ACTION),
  actionEnd: closing(ACTION),
  actionBegin: `<${BLANKS}${named(ACTION)}(?=[\\s/>])`,
} as const;

/** The tags' names as they stand in a text in lower case, without what may stand between their words. */
export const TAG_NAMES = { artifact: ARTIFACT, action: ACTION } as const;

/** What an opening tag says, in the dialect's own words, also where it is written in other ones: lower-case names to values. */
export function attributesOf(tag: string): ReadonlyMap<string, string> {
  const [name = ""] = /^<\s*[\w-]+/.exec(tag) ?? [];
  return meantAction(parseAttributes(tag.slice(name.length).replace(/\/?>\s*$/, "")));
}
