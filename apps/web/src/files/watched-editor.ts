import { holdsSecrets } from "./masked-values.ts";
import { openTextEditor, type TextEditor } from "./text-editor.ts";
import { showWrittenText, type WrittenText } from "./written-text.ts";

/** A file that is written stays as it was shown for so long when it is done: the next one often comes in its place. */
const SETTLE_MS = 1_000;

/** Characters that fill a pane: whoever looks at it sees nothing of what stood there before. */
const PANEFUL = 4_000;

/** An editor that is made when there is a text for a person's hands; until then it shows what is written into it. */
export interface WatchedEditor extends TextEditor {
  /**
   * Milliseconds between two pieces that are typed into it: in an editor each costs a layout of all that is seen.
   * @param more characters that came since the last piece
   */
  pace(length: number, more: number): number;
  /** The person sees its pane now. */
  reveal(): void;
}

/** @param options those of the editor; `onMade`: it is there now, with its text */
export function openWatchedEditor({
  onMade,
  ...options
}: Parameters<typeof openTextEditor>[0] & {
  onMade: (view: TextEditor["view"]) => void;
}): WatchedEditor {
  const { parent, path } = options;
  let editor: TextEditor | undefined;
  let written: WrittenText | undefined;
  /** The whole text, once it is no more written. */
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
      // As it was shown: at its end.
      editor.beginTyping();
      editor.type(fullText ?? written.text());
    } else if (fullText !== undefined) editor.show(fullText);
    leaveWritten();
    editor.setReadOnly(readOnly);
    if (isNew) onMade(editor.view);
    return editor;
  };
  const takeInHand = () => take().focus();
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
      clearTimeout(settling);
      settling = setTimeout(settle, SETTLE_MS);
    },
    type(text) {
      if (written) written.append(text);
      else take().type(text);
    },
    beginTyping() {
      leaveWritten();
      // What a file of secrets hides, only the editor does; and whoever is in it stays in it.
      if (holdsSecrets(path) || editor?.view.hasFocus) return take().beginTyping();
      written = showWrittenText(parent, path, takeInHand);
    },
    pace(length, more) {
      if (written || length < 6000) return 0;
      if (more > PANEFUL) return 500;
      return length < 30_000 ? 150 : 320;
    },
    setReadOnly(value) {
      readOnly = value;
      if (!written) editor?.setReadOnly(value);
    },
    goTo: (line, column) => take().goTo(line, column),
    focus: takeInHand,
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
