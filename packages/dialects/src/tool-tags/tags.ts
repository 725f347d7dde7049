import { parseAttributes } from "../artifact/attributes.ts";
import { type Match, matchName, type TagMatch } from "../text/match-name.ts";
import { isWhite } from "../text/white.ts";
import { TAG_LIMIT } from "./limits.ts";

/** A complete tag, up to its `>`. */
export interface Tag extends TagMatch {
  /** The `name` of an `<invoke>` or a `<parameter>`. */
  attribute?: string | undefined;
}

/**
 * The tag at the `<` at `at`, if it is one of `names`. Reads at most `TAG_LIMIT` characters, so
 * that holding it and reading it again stays cheap.
 */
export function readTag(text: string, at: number, names: readonly string[]): Match<Tag> {
  // Nearly every relevant tag is a bare name; within a value nearly every tag is irrelevant.
  for (let index = 0; index < names.length; index++) {
    const name = names[index]!;
    const end = at + name.length + 1;
    // Reading past the end of a text is slow, and in short chunks would be frequent.
    if (end < text.length && text.charCodeAt(end) === 62 && text.startsWith(name, at + 1))
      return { name, end: end + 1 };
  }
  if (
    names.length === 1 &&
    text.length - at > names[0]!.length &&
    !text.startsWith(names[0]!, at + 1)
  )
    return undefined;
  const match = matchName(text, at, names, false);
  if (!match || match === "more") return match;
  const { name, end: from } = match;
  // Most tags have no attributes.
  if (text.charCodeAt(from) === 62) {
    match.end++;
    return match;
  }
  const named = name === "invoke" || name === "parameter";
  const limit = Math.min(text.length, at + TAG_LIMIT);
  let quote = 0;
  for (let to = from; to < limit; to++) {
    const code = text.charCodeAt(to);
    if (quote !== 0) {
      if (code === quote) quote = 0;
    } else if (code === 62) {
      const attribute = named ? parseAttributes(text.slice(from, to)).get("name") : undefined;
      return { name, attribute, end: to + 1 };
    } else if (named && (code === 34 || code === 39)) quote = code;
    else if (named ? code === 60 : !isWhite(code)) return undefined;
  }
  return limit === text.length ? "more" : undefined;
}
