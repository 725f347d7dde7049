/** The elements that Markdown may become. None of them loads anything or runs anything. */
export type MarkdownTag =
  | "p" | "h1" | "h2" | "h3" | "h4" | "h5" | "h6" | "ul" | "ol" | "li" | "blockquote" | "hr" | "br" // prettier-ignore
  | "pre" | "code" | "strong" | "em" | "del" | "a" | "picture" | "span" // prettier-ignore
  | "table" | "thead" | "tbody" | "tr" | "th" | "td"; // prettier-ignore

/** A piece of text, or an element. */
export type MarkdownNode = string | MarkdownElement;

/** An element with its content and attributes. */
export interface MarkdownElement {
  tag: MarkdownTag;
  children: MarkdownNode[];
  /**
   * For `a`, and for `picture`, which is shown as a link: an http or https address. Absent if the address is of another
   * kind.
   */
  href?: string;
  /** For `ol`: its first number, if that is not 1. */
  start?: number;
  /** For `pre`: the first word after the ```. */
  language?: string;
}

/** A token of a parser such as markdown-it: the fields that are read. */
export interface MarkdownToken {
  type: string;
  tag: string;
  nesting: number;
  level: number;
  content: string;
  info: string;
  hidden: boolean;
  children: MarkdownToken[] | null;
  attrGet(name: string): string | null;
}
