/** The person's search in all files. */
export interface Query {
  text: string;
  regex: boolean;
  caseSensitive: boolean;
  word: boolean;
  /** Files to include and to exclude: names, folders and globs, separated by commas. */
  only: string;
  leaveOut: string;
}

export const EMPTY_QUERY: Query = {
  text: "",
  regex: false,
  caseSensitive: false,
  word: false,
  only: "",
  leaveOut: "",
};

const escaped = (text: string) => text.replaceAll(/[.*+?^${}()|[\]\\/]/g, "\\$&");

/** The source of the regular expression for a query. */
function sourceOf({ text, regex, word }: Query): string {
  const source = regex ? text : escaped(text);
  return word ? `\\b(?:${source})\\b` : source;
}

/** The query as a JavaScript regular expression; undefined if it is not valid in JavaScript. */
export function expressionOf(query: Query): RegExp | undefined {
  try {
    return new RegExp(sourceOf(query), query.caseSensitive ? "g" : "gi");
  } catch {
    return undefined;
  }
}

/** The request to the server for a query. */
export function askedOf(query: Query) {
  const { text, regex, word, caseSensitive } = query;
  const isExpression = regex || word;
  return {
    pattern: isExpression ? sourceOf(query) : text,
    regex: isExpression,
    caseSensitive,
    glob: globOf(query.only),
    leaveOut: globOf(query.leaveOut),
  };
}

/**
 * Combines names, folders and globs into one glob; a folder includes everything in it. Undefined if nothing was typed.
 */
export function globOf(typed: string): string | undefined {
  const parts = typed
    .split(",")
    .map((part) => part.trim().replace(/^(?:\.?\/)+|\/+$/g, ""))
    .filter((part) => part !== "");
  const globs = parts.flatMap((part) => {
    const anywhere = part.startsWith("**/") ? part : `**/${part}`;
    return /[*?{[]/.test(part) ? [anywhere] : [anywhere, `${anywhere}/**`];
  });
  return globs.length === 0 ? undefined : globs.length === 1 ? globs[0] : `{${globs.join(",")}}`;
}

/** Parts of a line: matches and the text between them. */
export interface LinePart {
  text: string;
  found: boolean;
}

/** Maximum parts drawn per line. */
const MAX_PARTS = 50;

/** Splits a line into matches and the text between them. Matches beyond `MAX_PARTS` parts count as text. */
export function partsOf(line: string, expression: RegExp | undefined): LinePart[] {
  const parts: LinePart[] = [];
  let at = 0;
  for (const match of expression ? line.matchAll(expression) : []) {
    if (match[0] === "" || parts.length > MAX_PARTS) continue;
    if (match.index > at) parts.push({ text: line.slice(at, match.index), found: false });
    parts.push({ text: match[0], found: true });
    at = match.index + match[0].length;
  }
  if (at < line.length) parts.push({ text: line.slice(at), found: false });
  return parts;
}

/** The line with all matches replaced; `$1` and the like have a meaning only for a regular expression. */
export const replacedIn = (line: string, expression: RegExp, to: string, regex: boolean): string =>
  regex ? line.replace(expression, to) : line.replace(expression, () => to);
