/** An element as it stands in a source file, and which of its parts can be changed there without a model. */

/** From one character of the file to before another. */
export interface Slice {
  from: number;
  to: number;
}

/** One change of a file's text; all else stays byte for byte. */
export interface Edit extends Slice {
  insert: string;
}

/** Why something cannot be changed with certainty. */
export type Reason =
  /** It comes from an expression, which is given. */
  | { why: "expression"; code: string }
  /** Words and other elements or values stand side by side. */
  | { why: "mixed" }
  | { why: "empty" }
  /** The source says other words than the page: something changed them on the way. */
  | { why: "differs" }
  /** The place in the source is not known, or no such element stands there. */
  | { why: "nowhere" }
  /** More than one place may be meant. */
  | { why: "several"; count: number }
  /** The file cannot be read as its language. */
  | { why: "unread" };

/** How text is written where it stands. */
export type Writing = "jsx" | "html" | "attribute" | "template" | '"' | "'" | "`";

/** Text that stands in the source as it is: it may be replaced. */
export interface Literal extends Slice {
  writing: Writing;
  value: string;
}

export type Words = { literal: Literal } | { refused: Reason };

/** Class names: those that stand there as they are, in one or several pieces, between which others come and go. */
export type Classes =
  | { pieces: Slice[]; writing: Writing }
  /** There are none: the attribute is put in there. */
  | { absent: number; name: string }
  | { refused: Reason };

/** Inline style. */
export type Style =
  | { declarations: Slice; writing: Writing }
  | {
      properties: { name: string; value: Slice; isLiteral: boolean }[];
      end: number;
      isEmpty: boolean;
    }
  | { absent: number; writing: "jsx" | "html" }
  | { refused: Reason };

export interface SourceElement extends Slice {
  tag: string;
  parent: SourceElement | undefined;
  /** Static attributes, by name. */
  attributes: Map<string, Literal>;
  classes: Classes;
  style: Style;
  /** What it says; given what the page shows there, where an expression has several words. */
  words(shown: string): Words;
}

/** The text with one change made. */
export const applyEdit = (text: string, { from, to, insert }: Edit): string =>
  text.slice(0, from) + insert + text.slice(to);

/** As a browser shows it: white space in a row is one blank. */
export const collapse = (text: string): string => text.replace(/\s+/g, " ").trim();

const NAMED: Record<string, string> = {
  amp: "&",
  lt: "<",
  gt: ">",
  quot: '"',
  apos: "'",
  nbsp: "\u00a0",
  copy: "©",
  reg: "®",
  trade: "™",
  hellip: "…",
  mdash: "—",
  ndash: "–",
  lsquo: "‘",
  rsquo: "’",
  ldquo: "“",
  rdquo: "”",
  laquo: "«",
  raquo: "»",
  middot: "·",
  bull: "•",
  times: "×",
  rarr: "→",
  larr: "←",
  euro: "€",
  deg: "°",
};

/** What markup says, its entities read; one that is not known stays as it is. */
export function decode(text: string): string {
  return text.replace(/&(?:#(\d{1,6})|#x([0-9a-f]{1,5})|([a-z]+));/gi, (entity, ten, hex, name) => {
    if (name !== undefined) return NAMED[String(name)] ?? entity;
    return String.fromCodePoint(ten === undefined ? Number.parseInt(String(hex), 16) : Number(ten));
  });
}

/** Words as they are written in that place of a source. */
export function encode(words: string, writing: Writing): string {
  const marked = words.replaceAll("&", "&amp;").replaceAll("<", "&lt;").replaceAll(">", "&gt;");
  switch (writing) {
    case "html":
      return marked;
    case "attribute":
      return marked.replaceAll('"', "&quot;").replaceAll("'", "&#39;");
    case "jsx":
    case "template":
      return marked.replaceAll("{", "&#123;").replaceAll("}", "&#125;");
    case "`":
      return words.replace(/[\\`]|\$(?=\{)/g, "\\$&");
    default:
      return words
        .replaceAll("\\", "\\\\")
        .replaceAll(writing, `\\${writing}`)
        .replaceAll("\n", "\\n");
  }
}
