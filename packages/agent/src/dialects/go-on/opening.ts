/** The unfinished part of a truncated answer: content between tags. */
export interface Opening {
  /** The unclosed tag around those. */
  around: string;
  /** The tags that opened it, as they were written. */
  tags: string;
  /** Where the content begins. */
  from: number;
  /** The same tags at the start of a text, however they are set. */
  same: RegExp;
  /** Tags at the start of a text that open anything. */
  any: RegExp;
  /** How such tags begin, in lower case. */
  begins: readonly string[];
  /** Whether its content is prose, in which a code fence says nothing. */
  isProse: boolean;
}

/** A text as a pattern that matches only itself. */
export function literally(text: string): string {
  return text.replaceAll(/[\\^$.*+?()[\]{}|/-]/g, String.raw`\$&`);
}

/** What of a line's end belongs to tags that open again: none where the answer was cut before it. */
export function lineEndOf(tags: string): string {
  return tags.endsWith("\n") ? String.raw`[ \t]*\n?` : "";
}
