import { type KeyKind, lineKey } from "./keys.ts";
import { splice } from "./splice.ts";

/** A half-open range of characters, or of lines. */
export interface Span {
  from: number;
  to: number;
}

/**
 * A file while edits are applied to it: its text with bare line feeds, its lines and their keys, each made once and
 * kept up to date. The byte-order mark and the line endings are put back by `toString`.
 */
export class EditDocument {
  /** Undefined while the lines are newer: joining them for each edit would copy the file each time. */
  #text: string | undefined;
  #length: number;
  readonly #mark: string;
  /** The only line ending of the file; undefined when it has several, which `#ends` then lists. */
  readonly #end: string | undefined;
  #ends: string[] = [];
  #lines: string[] | undefined;
  readonly #keys = new Map<KeyKind, string[]>();
  /** Keys that the file has, or had: what is not among them need not be searched. */
  readonly #known = new Map<KeyKind | "exact", Set<string>>();
  /** Where earlier edits wrote, in characters. */
  #written: Span[] = [];

  constructor(original: string) {
    this.#mark = original.startsWith("\ufeff") ? "\ufeff" : "";
    const body = original.slice(this.#mark.length);
    this.#text = body.replaceAll("\r\n", "\n");
    this.#length = this.#text.length;
    if (this.#length === body.length) this.#end = "\n";
    else if (!/(?:^|[^\r])\n/.test(body)) this.#end = "\r\n";
    else this.#ends = body.match(/\r?\n/g) ?? [];
  }

  get text(): string {
    this.#text ??= this.lines.join("\n");
    return this.#text;
  }

  /** Characters of `text`. */
  get length(): number {
    return this.#length;
  }

  get endsWithBreak(): boolean {
    return this.#lines ? this.#length > 0 && this.#lines.at(-1) === "" : this.text.endsWith("\n");
  }

  get lines(): readonly string[] {
    this.#lines ??= this.text.split("\n");
    return this.#lines;
  }

  keys(kind: KeyKind): readonly string[] {
    let keys = this.#keys.get(kind);
    if (!keys) {
      keys = this.lines.map(lineKey[kind]);
      this.#keys.set(kind, keys);
    }
    return keys;
  }

  /** False when no line can have this key; `exact` asks for the line itself. */
  mayHave(kind: KeyKind | "exact", key: string): boolean {
    let known = this.#known.get(kind);
    if (!known) {
      known = new Set(kind === "exact" ? this.lines : this.keys(kind));
      this.#known.set(kind, known);
    }
    return known.has(key);
  }

  /** Whether an earlier edit wrote any of these characters. */
  wasWritten(span: Span): boolean {
    return this.#written.some((other) => span.from < other.to && other.from < span.to);
  }

  /** The characters of whole lines, without the last one's line break. */
  charactersOf(lines: Span): Span {
    let from = 0;
    for (let line = 0; line < lines.from; line++) from += this.lines[line]!.length + 1;
    let to = from;
    for (let line = lines.from; line < lines.to; line++) to += this.lines[line]!.length + 1;
    return { from, to: Math.max(from, to - 1) };
  }

  /** The line in which a character stands, from 0. */
  lineAt(character: number): number {
    return this.#locate(character).line;
  }

  replace(span: Span, replacement: string): void {
    if (this.#lines || !this.#end) this.#replaceLines(span, replacement);
    else this.#text = this.text.slice(0, span.from) + replacement + this.text.slice(span.to);
    const grown = replacement.length - (span.to - span.from);
    this.#length += grown;
    this.#written = this.#written
      .filter((other) => other.to <= span.from || other.from >= span.to)
      .map((other) =>
        other.from >= span.to ? { from: other.from + grown, to: other.to + grown } : other,
      );
    if (replacement !== "")
      this.#written.push({ from: span.from, to: span.from + replacement.length });
  }

  toString(): string {
    if (this.#end === "\n") return this.#mark + this.text;
    if (this.#end) return this.#mark + this.text.replaceAll("\n", this.#end);
    const lines = this.text.split("\n");
    return this.#mark + lines.map((line, index) => line + (this.#ends[index] ?? "")).join("");
  }

  #locate(character: number): { line: number; column: number } {
    const { lines } = this;
    let line = 0;
    let start = 0;
    // Not by an iterator: this runs over the file for each edit.
    for (; line < lines.length - 1; line++) {
      const end = start + lines[line]!.length + 1;
      if (character < end) break;
      start = end;
    }
    return { line, column: character - start };
  }

  #replaceLines(span: Span, replacement: string): void {
    const first = this.#locate(span.from);
    const last = this.#locate(span.to);
    const before = this.lines[first.line]!.slice(0, first.column);
    const after = this.lines[last.line]!.slice(last.column);
    const lines = (before + replacement + after).split("\n");
    const removed = last.line - first.line;
    if (!this.#end) {
      // New lines end as the place where they are put does.
      const ending = this.#ends[first.line] ?? this.#ends[first.line - 1] ?? "\n";
      const endings = Array.from({ length: lines.length - 1 }, () => ending);
      this.#ends = splice(this.#ends, first.line, removed, endings);
    }
    this.#lines = splice(this.#lines!, first.line, removed + 1, lines);
    this.#text = undefined;
    for (const [kind, known] of this.#known)
      for (const line of lines) known.add(kind === "exact" ? line : lineKey[kind](line));
    for (const [kind, keys] of this.#keys)
      this.#keys.set(kind, splice(keys, first.line, removed + 1, lines.map(lineKey[kind])));
  }
}
