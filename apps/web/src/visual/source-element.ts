/** This module describes an element in a source file, and its parts that can be changed without a model. */

/** A range of the file: the first character, and the one after the last. */
export interface Slice {
  from: number;
  to: number;
}

/** One change of a file's text; everything else stays unchanged, byte for byte. */
export interface Edit extends Slice {
  insert: string;
}

/** Why something cannot be changed reliably. */
export type Reason =
  /** The value comes from this expression. */
  | { why: "expression"; code: string }
  /** Text mixed with other elements or values. */
  | { why: "mixed" }
  | { why: "empty" }
  /** The source has another text than the page, so something changed it in between. */
  | { why: "differs" }
  /** The position in the source is unknown, or there is no such element. */
  | { why: "nowhere" }
  /** Several places match. */
  | { why: "several"; count: number }
  /** The element is moved among siblings that a list creates from one place in the source. */
  | { why: "list" }
  /** The elements are not siblings in the source: a condition or another component creates one of them. */
  | { why: "apart" }
  /** There is text or a value between the elements in the source. */
  | { why: "between" }
  /** The edits of elements that were selected together contradict or overlap each other. */
  | { why: "overlap" }
  /** The file cannot be parsed. */
  | { why: "unread" };

/** How text is escaped at its place in the source. */
export type Writing = "jsx" | "html" | "attribute" | "template" | '"' | "'" | "`";

/** Literal text in the source, which can be replaced. */
export interface Literal extends Slice {
  writing: Writing;
  value: string;
}

export type Words = { literal: Literal } | { refused: Reason };

/** The literal class names, in one or more pieces between dynamic ones. */
export type Classes =
  | { pieces: Slice[]; writing: Writing }
  /** The element has no class attribute; `absent` is the offset at which one would be inserted. */
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
  /** The offset of the markup directly around it; undefined in an expression, such as a list or a condition. */
  container: number | undefined;
  /** Static attributes, by name. */
  attributes: Map<string, Literal>;
  classes: Classes;
  style: Style;
  /** The element's text. `shown` is the text on the page, used if an expression has several. */
  words(shown: string): Words;
}

/** The text with one edit applied. */
export const applyEdit = (text: string, { from, to, insert }: Edit): string =>
  text.slice(0, from) + insert + text.slice(to);

/** Collapses white space as a browser does. */
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

/** Decodes the entities of markup; unknown ones stay unchanged. */
export function decode(text: string): string {
  return text.replace(/&(?:#(\d{1,6})|#x([0-9a-f]{1,5})|([a-z]+));/gi, (entity, ten, hex, name) => {
    if (name !== undefined) return NAMED[String(name)] ?? entity;
    return String.fromCodePoint(ten === undefined ? Number.parseInt(String(hex), 16) : Number(ten));
  });
}

/** Escapes text for its place in a source file. */
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
