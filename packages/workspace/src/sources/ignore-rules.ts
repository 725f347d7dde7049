/**
 * The rules of a `.gitignore`, as git reads them (gitignore(5)). Treadle does not use a library for this, because the
 * project writes these files: a pattern converted to a regular expression can take hours, while this takes time linear
 * in the pattern times the name.
 */

/** Maximum number of rules in one file; git has no limit, but real files have far fewer. */
const RULES_LIMIT = 2_000;
/** Maximum length of a pattern, in characters. Longer ones are ignored. */
const PATTERN_LIMIT = 1_000;
/** Number of bytes read of a file; later lines are ignored. */
export const RULES_BYTES = 256 * 1024;

type Token =
  | { is: "character"; character: string }
  | { is: "any" }
  | { is: "star" }
  | { is: "set"; negated: boolean; has(character: string): boolean };

/** A part of a pattern between slashes. `**`: any number of folders. */
type Segment = "**" | readonly Token[];

interface Rule {
  /** Cancels an earlier rule. */
  negated: boolean;
  foldersOnly: boolean;
  /**
   * Matched against the whole path relative to the file's folder; otherwise only against the last
   * name.
   */
  anchored: boolean;
  segments: readonly Segment[];
}

export interface IgnoreRules {
  /**
   * The result of the last matching rule; undefined if none matches. The caller must ask for parent folders first,
   * because git ignores everything in an ignored folder.
   * @param names of the path below the `.gitignore`'s folder
   */
  match(names: readonly string[], isFolder: boolean): "ignored" | "included" | undefined;
}

/** @param text of a `.gitignore`. Never throws: invalid patterns are ignored. */
export function parseIgnoreRules(text: string): IgnoreRules {
  const rules: Rule[] = [];
  for (const line of text.replace(/^\uFEFF/, "").split("\n")) {
    if (rules.length === RULES_LIMIT) break;
    const rule = parseRule(line.endsWith("\r") ? line.slice(0, -1) : line);
    if (rule) rules.push(rule);
  }
  return {
    match(names, isFolder) {
      for (let index = rules.length - 1; index >= 0; index--) {
        const rule = rules[index]!;
        if (rule.foldersOnly && !isFolder) continue;
        const isMatch = rule.anchored
          ? matchSegments(rule.segments, names)
          : matchName(rule.segments[0] as readonly Token[], names.at(-1)!);
        if (isMatch) return rule.negated ? "included" : "ignored";
      }
      return undefined;
    },
  };
}

function parseRule(line: string): Rule | undefined {
  if (line.startsWith("#") || line.length > PATTERN_LIMIT) return undefined;
  let pattern = withoutTrailingSpaces(line);
  const negated = pattern.startsWith("!");
  if (negated) pattern = pattern.slice(1);
  const foldersOnly = pattern.endsWith("/");
  if (foldersOnly) pattern = pattern.slice(0, -1);
  const anchored = pattern.includes("/");
  if (pattern.startsWith("/")) pattern = pattern.slice(1);
  if (pattern === "") return undefined;
  const segments: Segment[] = [];
  for (const part of pattern.split("/")) {
    if (part === "**" && anchored) {
      if (segments.at(-1) !== "**") segments.push("**");
      continue;
    }
    const tokens = parseSegment(part);
    if (tokens === undefined) return undefined;
    segments.push(tokens);
  }
  return { negated, foldersOnly, anchored, segments };
}

/** Trailing spaces are not part of a pattern unless escaped with a backslash. */
function withoutTrailingSpaces(line: string): string {
  let end = line.length;
  while (end > 0 && line[end - 1] === " ") end--;
  let backslashes = 0;
  while (backslashes < end && line[end - 1 - backslashes] === "\\") backslashes++;
  return line.slice(0, backslashes % 2 === 1 && end < line.length ? end + 1 : end);
}

/** Undefined for a pattern that matches nothing: an unclosed bracket, or a trailing backslash. */
function parseSegment(text: string): Token[] | undefined {
  const tokens: Token[] = [];
  const characters = [...text];
  for (let at = 0; at < characters.length; at++) {
    const character = characters[at]!;
    if (character === "*") {
      if (tokens.at(-1)?.is !== "star") tokens.push({ is: "star" });
    } else if (character === "?") tokens.push({ is: "any" });
    else if (character === "\\") {
      if (++at === characters.length) return undefined;
      tokens.push({ is: "character", character: characters[at]! });
    } else if (character === "[") {
      const set = parseSet(characters, at);
      if (!set) return undefined;
      tokens.push(set.token);
      at = set.end;
    } else tokens.push({ is: "character", character });
  }
  return tokens;
}

const CLASSES: Record<string, RegExp> = {
  alnum: /^[A-Za-z0-9]$/,
  alpha: /^[A-Za-z]$/,
  blank: /^[ \t]$/,
  // oxlint-disable-next-line no-control-regex -- the class is made of them
  cntrl: /^[\0-\x1f\x7f]$/,
  digit: /^[0-9]$/,
  graph: /^[!-~]$/,
  lower: /^[a-z]$/,
  print: /^[ -~]$/,
  punct: /^[!-/:-@[-`{-~]$/,
  space: /^[ \t\n\v\f\r]$/,
  upper: /^[A-Z]$/,
  xdigit: /^[0-9A-Fa-f]$/,
};

/**
 * Parses a bracket expression at an index.
 * @returns the expression, and the index of its closing bracket; undefined if it is invalid
 */
function parseSet(
  characters: readonly string[],
  from: number,
): { token: Token; end: number } | undefined {
  let at = from + 1;
  const negated = characters[at] === "!" || characters[at] === "^";
  if (negated) at++;
  const tests: ((character: string) => boolean)[] = [];
  for (let first = true; ; first = false, at++) {
    let low = characters[at];
    if (low === undefined) return undefined;
    if (low === "]" && !first) break;
    if (low === "[" && characters[at + 1] === ":") {
      const end = characters.indexOf("]", at + 2);
      if (end === -1) return undefined;
      if (characters[end - 1] === ":" && end - 1 > at + 1) {
        const named = CLASSES[characters.slice(at + 2, end - 1).join("")];
        if (!named) return undefined;
        tests.push((character) => named.test(character));
        at = end;
        continue;
      }
    }
    if (low === "\\") low = characters[++at];
    if (low === undefined) return undefined;
    let high = low;
    if (
      characters[at + 1] === "-" &&
      characters[at + 2] !== undefined &&
      characters[at + 2] !== "]"
    ) {
      at += 2;
      high = characters[at]!;
      if (high === "\\") {
        high = characters[++at]!;
        if (high === undefined) return undefined;
      }
    }
    const [least, most] = [low, high];
    tests.push((character) => character >= least && character <= most);
  }
  const has = (character: string) => tests.some((test) => test(character));
  return { token: { is: "set", negated, has }, end: at };
}

/** Matches greedily: after a later star, an earlier one never has to be revisited. */
function matchName(tokens: readonly Token[], name: string): boolean {
  const characters = [...name];
  let [at, token] = [0, 0];
  let [starAt, starToken] = [-1, -1];
  while (at < characters.length) {
    const next = tokens[token];
    if (next?.is === "star") {
      [starToken, starAt] = [token++, at];
    } else if (next && takes(next, characters[at]!)) {
      at++;
      token++;
    } else if (starToken !== -1) {
      token = starToken + 1;
      at = ++starAt;
    } else return false;
  }
  while (tokens[token]?.is === "star") token++;
  return token === tokens.length;
}

const takes = (token: Token, character: string): boolean =>
  token.is === "character"
    ? token.character === character
    : token.is === "set"
      ? token.has(character) !== token.negated
      : token.is === "any";

/** As `matchName`, for whole names: `**` matches any number of them, at the end at least one. */
function matchSegments(segments: readonly Segment[], names: readonly string[]): boolean {
  let [at, segment] = [0, 0];
  let [starAt, starSegment] = [-1, -1];
  while (at < names.length) {
    const next = segments[segment];
    if (next === "**") {
      if (segment === segments.length - 1) return true;
      [starSegment, starAt] = [segment++, at];
    } else if (next !== undefined && matchName(next, names[at]!)) {
      at++;
      segment++;
    } else if (starSegment !== -1) {
      segment = starSegment + 1;
      at = ++starAt;
    } else return false;
  }
  return segment === segments.length;
}
