import { type Span, searchSorted, TextFile } from "./text-file.ts";

interface Change extends Span {
  text: string;
}

/**
 * A file while edits are applied to it. Edits are looked for in the file as it was, and their changes are put into it
 * together: each costs what it changes, not a copy of the file.
 */
export class Editor {
  /** The file with line feeds, unless it has several line endings; without its byte-order mark. */
  file: TextFile;
  readonly #mark: string;
  readonly #crlf: boolean;
  /** What is to be put into `file`, in its order, none over another. */
  #changes: Change[] = [];

  constructor(original: string) {
    this.#mark = original.startsWith("\ufeff") ? "\ufeff" : "";
    const body = original.slice(this.#mark.length);
    this.#crlf = body.includes("\n") && !/(?:^|[^\r])\n/.test(body);
    this.file = new TextFile(this.#crlf ? body.replaceAll("\r\n", "\n") : body);
  }

  /** Whether nothing is changed there yet: what is changed is not in the file any more. */
  isFree({ from, to }: Span): boolean {
    const next = this.#changes[searchSorted(this.#changes, (change) => change.to <= from)];
    return !next || next.from >= to;
  }

  /** Changes a free span. New lines end as the line does where they are put. */
  replace(span: Span, text: string): void {
    const { lines } = this.file;
    const line = this.file.lineAt(span.from);
    // The last line has none of its own.
    const crlf = lines[line === lines.length - 1 ? line - 1 : line]?.endsWith("\r");
    const change = { ...span, text: crlf ? text.replaceAll("\n", "\r\n") : text };
    const at = searchSorted(this.#changes, ({ from }) => from < span.from);
    this.#changes.splice(at, 0, change);
  }

  /** Puts the changes into the file; false if there were none. */
  settle(): boolean {
    if (this.#changes.length === 0) return false;
    const out: string[] = [];
    let at = 0;
    for (const { from, to, text } of this.#changes) {
      out.push(this.file.text.slice(at, from), text);
      at = to;
    }
    this.file = new TextFile(out.join("") + this.file.text.slice(at));
    this.#changes = [];
    return true;
  }

  toString(): string {
    this.settle();
    const { text } = this.file;
    return this.#mark + (this.#crlf ? text.replaceAll("\n", "\r\n") : text);
  }
}
