/** What is looked for in all files, as the person typed it. */
export interface Query {
  text: string;
  regex: boolean;
  caseSensitive: boolean;
  word: boolean;
  /** Files to look in and files to leave out: names, folders and globs with commas between. */
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

/** The text of the expression that finds it. */
function sourceOf({ text, regex, word }: Query): string {
  const source = regex ? text : escaped(text);
  return word ? `\\b(?:${source})\\b` : source;
}

/** The same as an expression of the page; undefined where it is none here. */
export function expressionOf(query: Query): RegExp | undefined {
  try {
    return new RegExp(sourceOf(query), query.caseSensitive ? "g" : "gi");
  } catch {
    return undefined;
  }
}

/** What the server is asked for. */
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

/** Names, folders and globs as one glob; a folder's name stands for all that is in it. */
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

/** Parts of a line: found or between. */
export interface LinePart {
  text: string;
  found: boolean;
}

/** Parts that are drawn of one line. */
const PARTS = 50;

/** A line with what was found in it marked. */
export function partsOf(line: string, expression: RegExp | undefined): LinePart[] {
  const parts: LinePart[] = [];
  let at = 0;
  for (const match of expression ? line.matchAll(expression) : []) {
    if (match[0] === "" || parts.length > PARTS) continue;
    if (match.index > at) parts.push({ text: line.slice(at, match.index), found: false });
    parts.push({ text: match[0], found: true });
    at = match.index + match[0].length;
  }
  if (at < line.length) parts.push({ text: line.slice(at), found: false });
  return parts;
}

/** The line with all that is found replaced; `$1` and the like mean something in an expression alone. */
export const replacedIn = (line: string, expression: RegExp, to: string, regex: boolean): string =>
  regex ? line.replace(expression, to) : line.replace(expression, () => to);
