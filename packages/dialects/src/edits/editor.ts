import { createTextFile, type Span, searchSorted, type TextFile } from "./text-file.ts";

interface Change extends Span {
  text: string;
}

/** The byte-order mark. */
export const MARK = "\ufeff";

/**
 * A file while edits are applied. Edits are matched against the original file, and their changes
 * are written together, so that each costs its own size and not a copy of the file.
 */
export interface Editor {
  /** The file with line feeds, unless it has mixed line endings; without its byte-order mark. */
  file: TextFile;
  /** Whether nothing in the range was changed yet. */
  isFree(span: Span): boolean;
  /** Changes an unchanged range. New lines end like the line at that place. */
  replace(span: Span, text: string): void;
  /** Writes the changes into the file; false if there were none. */
  settle(): boolean;
  /** The file in its final form. */
  text(): string;
}

export function createEditor(original: string): Editor {
  const mark = original.startsWith(MARK) ? MARK : "";
  const body = original.slice(mark.length);
  const isWindows = body.includes("\n") && !/(?:^|[^\r])\n/.test(body);
  /** Pending changes of `file`, in order and without overlaps. */
  let changes: Change[] = [];
  const editor: Editor = {
    file: createTextFile(isWindows ? body.replaceAll("\r\n", "\n") : body),
    isFree({ from, to }) {
      const next = changes[searchSorted(changes, (change) => change.to <= from)];
      return !next || next.from >= to;
    },
    replace(span, text) {
      const { lines, lineAt } = editor.file;
      const line = lineAt(span.from);
      // The last line has no line break of its own.
      if (lines[line === lines.length - 1 ? line - 1 : line]?.endsWith("\r"))
        text = text.replaceAll("\n", "\r\n");
      const at = searchSorted(changes, ({ from }) => from < span.from);
      changes.splice(at, 0, { ...span, text });
    },
    settle() {
      if (changes.length === 0) return false;
      let out = "";
      let at = 0;
      for (const { from, to, text } of changes) {
        out += editor.file.text.slice(at, from) + text;
        at = to;
      }
      editor.file = createTextFile(out + editor.file.text.slice(at));
      changes = [];
      return true;
    },
    text() {
      editor.settle();
      const { text } = editor.file;
      return mark + (isWindows ? text.replaceAll("\n", "\r\n") : text);
    },
  };
  return editor;
}
