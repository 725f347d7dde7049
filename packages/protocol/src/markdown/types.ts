/** The elements that Markdown may become. None of them loads anything or runs anything. */
export type MarkdownTag =
  | "p" | "h1" | "h2" | "h3" | "h4" | "h5" | "h6" | "ul" | "ol" | "li" | "blockquote" | "hr" | "br" // prettier-ignore
  | "pre" | "code" | "strong" | "em" | "del" | "a" | "picture" | "span" // prettier-ignore
  | "table" | "thead" | "tbody" | "tr" | "th" | "td"; // prettier-ignore

/** A piece of text, or an element. */
export type MarkdownNode = string | MarkdownElement;

/** An element with its content and the attributes that matter. */
export interface MarkdownElement {
  tag: MarkdownTag;
  children: MarkdownNode[];
  /** Of `a`, and of `picture`, which is shown as a link: an http or https address. Absent if the address is another one. */
  href?: string;
  /** Of `ol`: its first number, if that is not 1. */
  start?: number;
  /** Of `pre`: the first word behind the ```. */
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
