/**
 * A word, a quoted text, an attribute in the outline's format (`[checked]`), or a colon after one
 * of those.
 */
export type Token =
  | { kind: "word"; text: string; end: number }
  | { kind: "quoted"; text: string; end: number }
  | { kind: "attribute"; text: string; end: number }
  | { kind: "colon"; end: number };

const CLOSING: Record<string, string> = {
  '"': '"',
  "“": "”",
  "„": "“”",
  "«": "»",
  "「": "」",
  "『": "』",
  "'": "'",
  "‘": "’",
};

const ESCAPES: Record<string, string> = { "\\": "\\", '"': '"', n: "\n" };

/**
 * Reads a step from left to right. Treats code marks outside of quotes as white space, since people
 * and models add them.
 */
export class Cursor {
  readonly text: string;
  at = 0;
  /** The furthest position that any form has read. */
  furthest = 0;
  /** A word in the position of a role that is not a role. */
  unknownRole: string | undefined;
  #known: { at: number; token: Token | undefined } | undefined;

  constructor(text: string) {
    this.text = text;
  }

  get isAtEnd(): boolean {
    return this.peek() === undefined;
  }

  /** The next token, or undefined at the end. */
  peek(): Token | undefined {
    if (this.#known?.at !== this.at) this.#known = { at: this.at, token: this.#read() };
    return this.#known.token;
  }

  take(): Token | undefined {
    const token = this.peek();
    if (token) this.#moveTo(token.end);
    return token;
  }

  /** Returns to an earlier position. */
  reset(at: number): void {
    this.at = at;
  }

  /** Takes one of these words, in any case. @returns it in lower case */
  word(...words: readonly string[]): string | undefined {
    const token = this.peek();
    if (token?.kind !== "word") return undefined;
    const found = token.text.toLowerCase();
    if (!words.includes(found)) return undefined;
    this.take();
    return found;
  }

  /** Consumes a sequence of words, or nothing. */
  words(phrase: string): boolean {
    const from = this.at;
    const isThere = phrase.split(" ").every((word) => this.word(word) !== undefined);
    if (!isThere) this.reset(from);
    return isThere;
  }

  /** Consumes a word that matches. */
  match(form: RegExp): RegExpExecArray | undefined {
    const token = this.peek();
    const match = token?.kind === "word" ? form.exec(token.text) : null;
    if (!match) return undefined;
    this.take();
    return match;
  }

  /** Consumes a quoted text. */
  quoted(): string | undefined {
    const token = this.peek();
    if (token?.kind !== "quoted") return undefined;
    this.take();
    return token.text;
  }

  colon(): boolean {
    if (this.peek()?.kind !== "colon") return false;
    this.take();
    return true;
  }

  /** The unread text, as written. */
  get rest(): string {
    return this.text.slice(this.at).trim();
  }

  /** Consumes the text up to a position, or the rest. */
  takeRest(end = this.text.length): string {
    const rest = this.text.slice(this.at, end).trim();
    this.#moveTo(end);
    return rest;
  }

  #moveTo(end: number): void {
    this.at = end;
    this.furthest = Math.max(this.furthest, end);
  }

  #read(): Token | undefined {
    const { text } = this;
    let start = this.at;
    while (start < text.length && /[\s`]/.test(text[start]!)) start++;
    if (start >= text.length) return undefined;
    const first = text[start]!;
    const quoted = readQuoted(text, start);
    if (quoted) return quoted;
    if (first === ":") return { kind: "colon", end: start + 1 };
    const attribute = first === "[" ? /^\[([a-z][a-z-]*(?:=[\w-]+)?)\]/.exec(text.slice(start)) : null; // prettier-ignore
    if (attribute)
      return { kind: "attribute", text: attribute[1]!, end: start + attribute[0].length };
    let end = start;
    while (end < text.length && !/[\s`]/.test(text[end]!)) end++;
    if (text[end - 1] === ":") end--;
    return { kind: "word", text: text.slice(start, end), end };
  }
}

/** The quoted text at this position, or undefined. An apostrophe is a quote only around whole words. */
function readQuoted(text: string, start: number): Token | undefined {
  const first = text[start]!;
  const closing = CLOSING[first];
  if (closing === undefined) return undefined;
  const isApostrophe = first === "'" || first === "‘";
  let content = "";
  for (let at = start + 1; at < text.length; at++) {
    const char = text[at]!;
    const next = text[at + 1];
    if (first === '"' && char === "\\" && next !== undefined && ESCAPES[next] !== undefined) {
      content += ESCAPES[next];
      at++;
    } else if (
      closing.includes(char) &&
      (!isApostrophe || next === undefined || /[\s`.,:]/.test(next))
    ) {
      return { kind: "quoted", text: content, end: at + 1 };
    } else content += char;
  }
  return undefined;
}

/** Whether a word begins with a quotation mark that is never closed. */
export const isOpenQuote = (token: Token): boolean =>
  token.kind === "word" && /^["“„«「『]/.test(token.text);

/** Quotes a text so that `Cursor` can read it. */
export const quoteText = (text: string): string =>
  `"${text.replaceAll(/[\\"\n]/g, (char) => (char === "\n" ? String.raw`\n` : `\\${char}`))}"`;
