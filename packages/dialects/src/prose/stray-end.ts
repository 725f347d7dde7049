/**
 * A closing tag in place of the expected one: misspelt, without its `>`, or of a sibling. It is
 * alone on its line, its name marks an action, a call or a part of one, and nothing before it in
 * the content opened it.
 */
export interface StrayEnd {
  name: string;
  /** Start of the tag's line. */
  index: number;
  /** Position after the tag. */
  end: number;
}

/**
 * Names of files, actions and their parts in models' dialects, beside those of the products
 * themselves.
 */
const MARKS =
  /^(?:(?:bolt|dyad|lov|ant)[-_]?[a-z][\w-]*|(?:file|code|content|file_content|file_text|action|artifact|tool|tool_call|function_call|invoke|parameter)s?|(?:write|create|edit)(?:_to)?_file)$/i;

/**
 * Whether a name marks an action, a call or a part of one in some dialect, or nearly equals one of
 * `own`.
 */
export function marksPart(name: string, own: readonly string[]): boolean {
  return MARKS.test(name) || own.some((one) => isMisspelt(name.toLowerCase(), one.toLowerCase()));
}

const STRAY =
  /(?:^|\n)([ \t]{0,200})<\/\s{0,8}([A-Za-z_][\w:-]{0,63})[ \t]{0,32}(?:(>)[ \t]{0,200}\r?\n|\r?\n)/g;
/** An incomplete tag at the end of a text, from the start of its line. */
const MAY_BE_STRAY = /(?:^|(?<=\n))[ \t]{1,200}$|(?:^|(?<=\n))[ \t]{0,200}<(?:\/\s{0,8}(?:[A-Za-z_][\w:-]{0,63}[ \t]{0,32}(?:>[ \t]{0,200})?\r?)?)?$/; // prettier-ignore

/**
 * Finds the first stray closing tag in a part of a content.
 * @param startsLine whether the text begins a line
 * @param isOpened whether the content opened a tag of that name before, or the name marks nothing
 * @param isWhole whether no more text comes, so that the text's end is the line's
 */
export function findStrayEnd(
  text: string,
  startsLine: boolean,
  isOpened: (name: string, index: number) => boolean,
  isWhole: boolean,
): StrayEnd | undefined {
  if (!text.includes("</")) return undefined;
  STRAY.lastIndex = 0;
  const lines = isWhole ? `${text}\n` : text;
  for (let found = STRAY.exec(lines); found; found = STRAY.exec(lines)) {
    const [all, blanks = "", name = "", close] = found;
    // The line break after it may begin the line of the next.
    STRAY.lastIndex--;
    const begun = all.startsWith("\n") ? 1 : 0;
    if ((begun === 0 && !startsLine) || isOpened(name, found.index)) continue;
    const index = found.index + begun;
    const from = index + blanks.length;
    const length = all.slice(begun + blanks.length).trimEnd().length;
    return { name, index, end: close ? from + all.slice(begun + blanks.length).indexOf(">") + 1 : from + length }; // prettier-ignore
  }
  return undefined;
}

/** Start of an incomplete tag at the end of a text; the text's length if there is none. */
export function mayBeStrayFrom(text: string, startsLine: boolean): number {
  const { index } = MAY_BE_STRAY.exec(text.slice(-512)) ?? {};
  if (index === undefined) return text.length;
  const at = Math.max(0, text.length - 512) + index;
  return at === 0 && !startsLine ? text.length : at;
}

/**
 * Tags that decide what a stray tag was: patterns with the flag `g`, in which the start of a line
 * is its line break.
 */
export interface Around {
  /** Closing tags of the content itself: it continues. */
  own: RegExp;
  /**
   * The end of the enclosing element: the content ended if only white space and closing tags
   * precede it.
   */
  outer?: RegExp;
  /** Matches what may follow the content in the same call. */
  sibling?: RegExp;
  /** The beginning of the next action or call. */
  next: RegExp;
}

/** Maximum length of a tag that began before the searched part, in characters. */
const OVERLAP = 300;

/**
 * Decides what a stray closing tag is by the text after it: `content`, the end of the content alone
 * (`inner`), or also the end of the enclosing element (`all`). Prose up to the message's end means
 * that all ended.
 * @param looked number of characters of `behind` already searched
 */
export function judgeStrayEnd(
  behind: string,
  looked: number,
  { own, outer, sibling, next }: Around,
  isWhole: boolean,
): "content" | "inner" | "all" | "more" {
  const find = (pattern: RegExp | undefined) => {
    if (!pattern) return Infinity;
    pattern.lastIndex = Math.max(0, looked - OVERLAP);
    return pattern.exec(behind)?.index ?? Infinity;
  };
  const [ownAt, outerAt, siblingAt, nextAt] = [find(own), find(outer), find(sibling), find(next)];
  const first = Math.min(ownAt, outerAt, siblingAt, nextAt);
  if (first === Infinity) {
    if (!isWhole) return "more";
    return /^\s*</.test(behind) ? "content" : "all";
  }
  if (first === ownAt) return "content";
  if (first === nextAt) return "all";
  if (first === siblingAt) return "inner";
  return ONLY_ENDS.test(behind.slice(0, first)) ? "inner" : "content";
}

const ONLY_ENDS = /^\s*(?:<\/[\w:-]{1,64}[ \t]{0,32}>?\s*)*$/;

/** Whether two names differ by at most two letters added, left out or changed. */
export function isMisspelt(name: string, meant: string): boolean {
  if (Math.abs(name.length - meant.length) > 2 || name.length > 64) return false;
  let row = Array.from({ length: meant.length + 1 }, (_, at) => at);
  for (let at = 0; at < name.length; at++) {
    const next = [at + 1];
    for (let to = 0; to < meant.length; to++)
      next.push(Math.min(row[to]! + Number(name[at] !== meant[to]), row[to + 1]! + 1, next[to]! + 1)); // prettier-ignore
    row = next;
  }
  return row[meant.length]! <= 2;
}
