import { holdsEnvironment } from "@treadle/protocol/project-path";
import { openTextEditor, type TextEditor } from "./text-editor.ts";
import { showWrittenText, type WrittenText } from "./written-text.ts";

/** How long a finished file is shown before an editor is created, in milliseconds; the next file often replaces it. */
const SETTLE_MS = 1_000;

/** Characters that fill a pane, so that nothing before them is visible. */
const PANE_CHARS = 4_000;

/** An editor that is created once the person can edit the text; until then it shows the text as it is written. */
export interface WatchedEditor extends TextEditor {
  /**
   * Milliseconds between two updates of the editor, each of which costs a layout of everything visible.
   * @param more characters received since the last update
   */
  pace(length: number, more: number): number;
  /** Call when the pane has become visible. */
  reveal(): void;
}

/** Opens a file in a `WatchedEditor`. @param options.onMade called once the editor exists and has its text */
export function openWatchedEditor({
  onMade,
  ...options
}: Parameters<typeof openTextEditor>[0] & {
  onMade: (view: TextEditor["view"]) => void;
}): WatchedEditor {
  const { parent, path } = options;
  let editor: TextEditor | undefined;
  let written: WrittenText | undefined;
  /** The complete text, once nobody is writing it any more. */
  let fullText: string | undefined;
  let readOnly = true;
  let settling: ReturnType<typeof setTimeout> | undefined;

  const leaveWritten = () => {
    clearTimeout(settling);
    written?.close();
    written = undefined;
    fullText = undefined;
  };
  const take = (): TextEditor => {
    const isNew = editor === undefined;
    editor ??= openTextEditor(options);
    if (written && (isNew || fullText === undefined)) {
      // Shows the end of the text, as before.
      editor.beginTyping();
      editor.type(fullText ?? written.text());
    } else if (fullText !== undefined) editor.show(fullText);
    leaveWritten();
    editor.setReadOnly(readOnly);
    if (isNew) onMade(editor.view);
    return editor;
  };
  const switchToEditor = () => take().focus();
  const settle = () => {
    if (parent.checkVisibility()) take();
  };

  return {
    get view() {
      return take().view;
    },
    text: () => fullText ?? written?.text() ?? editor?.text() ?? "",
    show(text) {
      if (!written) {
        const isNew = editor === undefined;
        editor ??= openTextEditor(options);
        editor.show(text);
        if (isNew) {
          editor.setReadOnly(readOnly);
          onMade(editor.view);
        }
        return;
      }
      fullText = text;
      written.end();
      clearTimeout(settling);
      settling = setTimeout(settle, SETTLE_MS);
    },
    type(text) {
      if (written) written.append(text);
      else take().type(text);
    },
    beginTyping() {
      leaveWritten();
      // Only the editor can mask secrets, and an editor that has the focus is not replaced.
      if (holdsEnvironment(path) || editor?.view.hasFocus) return take().beginTyping();
      written = showWrittenText(parent, path, switchToEditor);
    },
    pace(length, more) {
      if (written || length < 6000) return 0;
      if (more > PANE_CHARS) return 500;
      return length < 30_000 ? 150 : 320;
    },
    setReadOnly(value) {
      readOnly = value;
      if (!written) editor?.setReadOnly(value);
    },
    share: (extension) => take().share(extension),
    goTo: (line, column) => take().goTo(line, column),
    focus: switchToEditor,
    showValues: (show) => editor?.showValues(show),
    reveal() {
      if (fullText !== undefined) settle();
    },
    close() {
      leaveWritten();
      editor?.close();
    },
  };
}
