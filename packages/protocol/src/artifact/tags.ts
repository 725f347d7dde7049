import { TAG_WHITE_LIMIT } from "./limits.ts";

/** Tag names in lower case; those that begin with `/` are closing ones. */
export type TagName =
  | "boltartifact"
  | "/boltartifact"
  | "boltaction"
  | "/boltaction"
  | "bolt-quick-actions"
  | "/bolt-quick-actions"
  | "bolt-quick-action"
  | "/bolt-quick-action"
  | "think"
  | "/think"
  | "thinking"
  | "/thinking";

/** The tag found and where its name ends; `"more"` when only what comes next can tell; undefined when it is none. */
export type TagMatch = { name: TagName; end: number } | "more" | undefined;

/**
 * Looks whether one of `names` starts at the `<` at `at`. A closing tag matches only with its `>`, and `end` is then
 * behind it. Reads at most the name and a little white space, so that holding it back and reading it again stays cheap.
 */
export function matchTag(text: string, at: number, names: readonly TagName[]): TagMatch {
  let from = at + 1;
  const closing = text.charCodeAt(from) === SLASH;
  if (closing) from = skipWhite(text, from + 1);
  let to = from;
  while (to < text.length && isNameCode(text.charCodeAt(to)) && to - from < LONGEST) to++;
  const written = (closing ? "/" : "") + text.slice(from, to).toLowerCase();
  if (to === text.length) return names.some((name) => begins(name, written)) ? "more" : undefined;
  const name = names.find((candidate) => candidate === written);
  if (!name) return undefined;
  if (closing) {
    const end = skipWhite(text, to);
    if (end === text.length) return end - to < TAG_WHITE_LIMIT ? "more" : undefined;
    return text.charCodeAt(end) === GREATER ? { name, end: end + 1 } : undefined;
  }
  const next = text.charCodeAt(to);
  return next === GREATER || next === SLASH || isWhite(next) ? { name, end: to } : undefined;
}

export function isWhite(code: number): boolean {
  return code === 32 || (code >= 9 && code <= 13);
}

const SLASH = 47;
const GREATER = 62;
const LONGEST = "bolt-quick-actions".length + 1;

function isNameCode(code: number): boolean {
  return (code >= 97 && code <= 122) || (code >= 65 && code <= 90) || code === 45;
}

function skipWhite(text: string, at: number): number {
  const limit = Math.min(text.length, at + TAG_WHITE_LIMIT);
  while (at < limit && isWhite(text.charCodeAt(at))) at++;
  return at;
}

function begins(name: string, written: string): boolean {
  return name.startsWith(written);
}
