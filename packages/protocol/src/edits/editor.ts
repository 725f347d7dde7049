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
  /** Where the edits wrote that were put into `file` last. */
  #written: Span[] = [];

  constructor(original: string) {
    this.#mark = original.startsWith("\ufeff") ? "\ufeff" : "";
    const body = original.slice(this.#mark.length);
    this.#crlf = body.includes("\n") && !/(?:^|[^\r])\n/.test(body);
    this.file = new TextFile(this.#crlf ? body.replaceAll("\r\n", "\n") : body);
  }

  /** Whether nothing is changed there yet: what is changed is not in the file any more. */
  isFree(span: Span): boolean {
    return isOutside(this.#changes, span);
  }

  /** Whether an earlier edit wrote there. */
  wasWritten(span: Span): boolean {
    return !isOutside(this.#written, span);
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
    const written: Span[] = [];
    let at = 0;
    let length = 0;
    const put = (text: string) => {
      out.push(text);
      length += text.length;
    };
    for (const { from, to, text } of this.#changes) {
      put(this.file.text.slice(at, from));
      if (text !== "") written.push({ from: length, to: length + text.length });
      put(text);
      at = to;
    }
    put(this.file.text.slice(at));
    this.file = new TextFile(out.join(""));
    this.#changes = [];
    this.#written = written;
    return true;
  }

  toString(): string {
    this.settle();
    const { text } = this.file;
    return this.#mark + (this.#crlf ? text.replaceAll("\n", "\r\n") : text);
  }
}

function isOutside(spans: readonly Span[], { from, to }: Span): boolean {
  const next = spans[searchSorted(spans, (span) => span.to <= from)];
  return !next || next.from >= to;
}
