import { Cursor, isOpenQuote, quoteText } from "./cursor.ts";
import { ELEMENTS, ROLES, VALUE_ROLES } from "./roles.ts";
import { PAGE_STATES, type PageState } from "./types.ts";

/** An element as named by a person. */
export interface Target {
  /** A selector, with `css=` before it. */
  css?: string;
  role?: string;
  /** The accessible name, or the text if there is none. */
  name?: string;
  /** A label, a placeholder, a text. */
  words?: string;
  /** The level of a heading. */
  level?: number;
  states?: PageState[];
  /** The element that contains it. */
  within?: Target;
}

/** Words that may follow a target, and end one without quotes. */
const WITHIN = ["in", "inside", "within", "under"];
const ARTICLES = ["the", "a", "an"];
/** Maximum nesting of elements in one target. */
const DEPTH = 4;

/** Attributes of the outline that are states, and their names in expectations. */
const ATTRIBUTES: Record<string, PageState> = {
  checked: "checked",
  "checked=mixed": "mixed",
  disabled: "disabled",
  active: "focused",
  selected: "selected",
  pressed: "pressed",
  "pressed=mixed": "mixed",
  expanded: "expanded",
};
for (const state of PAGE_STATES) ATTRIBUTES[state] ??= state;

/**
 * Reads a target as far as possible. Undefined if there is none; the cursor may have moved then.
 * @param stops lower-case words that end a target without quotes
 */
export function readTarget(
  cursor: Cursor,
  stops: readonly string[] = [],
  depth = DEPTH,
): Target | undefined {
  const isScope = depth < DEPTH;
  const target = readElement(cursor, [...WITHIN, ...stops], isScope);
  if (!target) return undefined;
  for (;;) {
    const token = cursor.peek();
    if (token?.kind !== "attribute") break;
    const level = /^level=(\d)$/.exec(token.text)?.[1];
    const state = ATTRIBUTES[token.text];
    if (level !== undefined) target.level = Number(level);
    else if (state !== undefined) target.states = [...(target.states ?? []), state];
    else return undefined;
    cursor.take();
  }
  const at = cursor.at;
  if (depth > 0 && cursor.word(...WITHIN) !== undefined) {
    const within = readTarget(cursor, stops, depth - 1);
    if (within) return { ...target, within };
    // `into` of another form may follow, or the name ends with such a word.
    cursor.reset(at);
  }
  return target;
}

function readElement(
  cursor: Cursor,
  stops: readonly string[],
  isScope: boolean,
): Target | undefined {
  const css = readSelector(cursor, stops);
  if (css !== undefined) return { css };
  const from = cursor.at;
  if (cursor.word(...ARTICLES) !== undefined && !isNamed(cursor) && elementAt(cursor) === undefined)
    cursor.reset(from);
  const quoted = cursor.quoted();
  if (quoted !== undefined) {
    // `"Add" button`, as people write it.
    const role = roleAt(cursor);
    if (role === undefined) return { words: quoted };
    cursor.take();
    return { role, name: quoted };
  }
  const start = cursor.at;
  const role = roleAt(cursor);
  if (role !== undefined) {
    cursor.take();
    const name = cursor.quoted();
    if (name !== undefined) return { role, name };
    const next = cursor.peek();
    const isAlone =
      next === undefined ||
      // The outline prints `listitem: Milk`.
      next.kind !== "word" ||
      stops.includes(next.text.toLowerCase());
    if (isAlone) return { role };
    cursor.reset(start);
  }
  const element = readElementName(cursor, stops, isScope);
  if (element !== undefined) return { css: element };
  if (cursor.word("text") !== undefined) {
    const words = cursor.quoted();
    if (words !== undefined) return { words };
    // As the outline prints a text.
    if (cursor.colon()) return { words: cursor.takeRest() };
    cursor.reset(start);
  }
  noteUnknownRole(cursor, stops);
  return isScope ? undefined : readWords(cursor, stops);
}

/**
 * Reads an element's name. Without quotes, `header` may be a text; it is the element if an expectation or a container
 * relation follows.
 */
function readElementName(
  cursor: Cursor,
  stops: readonly string[],
  isScope: boolean,
): string | undefined {
  const from = cursor.at;
  const name = elementAt(cursor);
  if (name === undefined) return undefined;
  cursor.take();
  const next = cursor.peek();
  const isMeant =
    next === undefined ? isScope : next.kind === "word" && stops.includes(next.text.toLowerCase());
  if (!isMeant) cursor.reset(from);
  return isMeant ? name : undefined;
}

/** Remembers a word before a quoted text that looks like a role but is none, for the error message. */
function noteUnknownRole(cursor: Cursor, stops: readonly string[]): void {
  const from = cursor.at;
  const [word, name] = [cursor.take(), cursor.peek()];
  cursor.reset(from);
  if (word?.kind === "word" && name?.kind === "quoted" && !stops.includes(word.text.toLowerCase()))
    cursor.unknownRole ??= word.text;
}

/** Reads unquoted words up to a keyword; the last word may be one (`Sign in`). */
function readWords(cursor: Cursor, stops: readonly string[]): Target | undefined {
  let end = cursor.at;
  const from = cursor.at;
  for (
    let token = cursor.peek();
    token?.kind === "word" || token?.kind === "colon";
    token = cursor.peek()
  ) {
    if (token.kind === "word" && isOpenQuote(token)) break;
    const isStop = token.kind === "word" && stops.includes(token.text.toLowerCase());
    const before = cursor.at;
    cursor.take();
    if (isStop && !cursor.isAtEnd) {
      cursor.reset(before);
      break;
    }
    end = token.end;
  }
  const words = cursor.text.slice(from, end).trim();
  return words === "" ? undefined : { words };
}

/** A selector may contain spaces, and ends before a keyword outside of brackets. */
function readSelector(cursor: Cursor, stops: readonly string[]): string | undefined {
  const token = cursor.peek();
  if (token?.kind !== "word" || !token.text.startsWith("css=")) return undefined;
  const { text } = cursor;
  let depth = 0;
  let quoteMark: string | undefined;
  for (let at = token.end - token.text.length; at < text.length; at++) {
    const char = text[at]!;
    if (quoteMark !== undefined) {
      if (char === "\\") at++;
      else if (char === quoteMark) quoteMark = undefined;
    } else if (char === '"' || char === "'") {
      // A selector has quotes in brackets only: what comes here is no part of it.
      if (depth <= 0) return cursor.takeRest(at);
      quoteMark = char;
    } else if (char === "(" || char === "[") depth++;
    else if (char === ")" || char === "]") depth--;
    else if (depth <= 0 && char === " ") {
      const word = /^\S+/.exec(text.slice(at + 1, at + 12))?.[0] ?? "";
      const follows = text.slice(at + 1 + word.length).trim() !== "";
      if (follows && stops.includes(word.toLowerCase())) return cursor.takeRest(at);
    }
  }
  return cursor.takeRest();
}

/** Whether a quoted name, with or without a role, follows. */
function isNamed(cursor: Cursor): boolean {
  const from = cursor.at;
  if (roleAt(cursor) !== undefined) cursor.take();
  const isQuoted = cursor.peek()?.kind === "quoted";
  cursor.reset(from);
  return isQuoted;
}

/** The role that the next word names. */
function roleAt(cursor: Cursor): string | undefined {
  const token = cursor.peek();
  if (token?.kind !== "word") return undefined;
  const role = token.text.toLowerCase();
  return ROLES.has(role) ? role : undefined;
}

/** The selector of the element that the next word names, as HTML spells it. */
function elementAt(cursor: Cursor): string | undefined {
  const token = cursor.peek();
  return token?.kind === "word" ? selectorOf(token.text) : undefined;
}

function selectorOf(element: string): string | undefined {
  const name = ELEMENTS.get(element);
  return name === undefined ? undefined : `css=${name}`;
}

/**
 * Adds what the outline prints after a colon: the value of a field, or the text of other elements.
 */
export function withContent(target: Target, content: string): { target: Target; text?: string } {
  const { role, name } = target;
  if (role !== undefined && (name !== undefined || VALUE_ROLES.has(role)))
    return { target, text: content };
  return role === undefined ? { target, text: content } : { target: { ...target, name: content } };
}

/** Parses an element's name; text of no other form is words. Never fails. */
export function parseTarget(on: string): Target {
  const cursor = new Cursor(on.trim());
  const target = readTarget(cursor);
  return target && cursor.isAtEnd ? target : { words: on.trim() };
}

/** Prints a target in the stored form; `parseTarget` can read it. */
export function writeTarget({ within, ...target }: Target): string {
  const { css, role, name, words = "", level, states = [] } = target;
  const marks = [...(level === undefined ? [] : [`level=${level}`]), ...states.map(attributeOf)]
    .map((mark) => ` [${mark}]`)
    .join("");
  const scope = within ? ` in ${writeTarget(within)}` : "";
  if (css !== undefined) return `${css}${scope}`;
  if (role !== undefined)
    return `${role}${name === undefined ? "" : ` ${quoteText(name)}`}${marks}${scope}`;
  // A role's name in quotes is only a text.
  const isPlain =
    marks + scope === "" &&
    !/["“”„«»「」『』`]/.test(words) &&
    JSON.stringify(parseTarget(words)) === JSON.stringify({ words });
  return `${isPlain ? words : quoteText(words)}${marks}${scope}`;
}

const attributeOf = (state: PageState) => (state === "mixed" ? "checked=mixed" : state);
