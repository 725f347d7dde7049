import { createTextFile, type Span, searchSorted, type TextFile } from "./text-file.ts";

interface Change extends Span {
  text: string;
}

/** The byte-order mark. */
export const MARK = "\ufeff";

/**
 * A file while edits are applied to it. Edits are looked for in the file as it was, and their changes are put into it
 * together: each costs what it changes, not a copy of the file.
 */
export interface Editor {
  /** The file with line feeds, unless it has several line endings; without its byte-order mark. */
  file: TextFile;
  /** Whether nothing is changed there yet: what is changed is not in the file any more. */
  isFree(span: Span): boolean;
  /** Changes a free span. New lines end as the line does where they are put. */
  replace(span: Span, text: string): void;
  /** Puts the changes into the file; false if there were none. */
  settle(): boolean;
  /** The file as it is to be written. */
  text(): string;
}

export function createEditor(original: string): Editor {
  const mark = original.startsWith(MARK) ? MARK : "";
  const body = original.slice(mark.length);
  const isWindows = body.includes("\n") && !/(?:^|[^\r])\n/.test(body);
  /** What is to be put into `file`, in its order, none over another. */
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
      // The last line has none of its own.
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
