import { type Match, matchName, TAG_WHITE_LIMIT } from "../text/match-name.ts";
import { isWhite, skipWhite } from "../text/white.ts";

/** Names of the dialect's tags, in lower case and without separators. */
export const ARTIFACT = "boltartifact";
export const ACTION = "boltaction";
export const ACTION_END = `/${ACTION}`;
export const ARTIFACT_END = `/${ARTIFACT}`;
/** Tags at which an action may end. */
export const TAGS = [ACTION_END, ACTION, ARTIFACT, ARTIFACT_END];
export const QUICK_LIST = "boltquickactions";
export const QUICK_ACTION = "boltquickaction";

/**
 * Checks whether a tag of `names` starts at the `<` at `at`. A closing tag matches only with its
 * `>`, and `end` is after it; an opening one is read on from its `end`.
 */
export function matchTag(text: string, at: number, names: readonly string[]): Match {
  // The two most frequent spellings; comparing is faster than parsing a name.
  if (text.startsWith("<boltAction ", at) && names.includes(ACTION))
    return { name: ACTION, end: at + 11 };
  if (text.startsWith("</boltAction>", at) && names.includes(ACTION_END))
    return { name: ACTION_END, end: at + 13 };
  const match = matchName(text, at, names, true);
  if (!match || match === "more") return match;
  const { end } = match;
  const next = text.charCodeAt(end);
  if (!match.name.startsWith("/"))
    return next === 62 || next === 47 || isWhite(next) ? match : undefined;
  const close = skipWhite(text, end, Math.min(text.length, end + TAG_WHITE_LIMIT));
  if (close === text.length) return close - end < TAG_WHITE_LIMIT ? "more" : undefined;
  match.end = close + 1;
  return text.charCodeAt(close) === 62 ? match : undefined;
}
