/** The unfinished part of a truncated answer: content between tags. */
export interface Opening {
  /** The unclosed tag around `tags`, or other text before them that is needed to parse them. */
  around: string;
  /** The tags that opened it, as they were written. */
  tags: string;
  /** The offset at which the content begins. */
  from: number;
  /** Matches the same tags at the start of a text, with any spacing. */
  same: RegExp;
  /** Matches tags at the start of a text that open any content. */
  any: RegExp;
  /** The beginnings of such tags, in lower case. */
  begins: readonly string[];
  /** Whether the content is prose, which may contain code fences of its own. */
  isProse: boolean;
}

/** A regular expression source that matches only this text. */
export function literally(text: string): string {
  return text.replaceAll(/[\\^$.*+?()[\]{}|/-]/g, String.raw`\$&`);
}

/** A pattern for the line end after reopened tags; empty if the answer was cut before that line end. */
export function lineEndOf(tags: string): string {
  return tags.endsWith("\n") ? String.raw`[ \t]*\n?` : "";
}
