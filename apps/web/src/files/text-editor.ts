import { autocompletion, closeBrackets, closeBracketsKeymap } from "@codemirror/autocomplete";
import { defaultKeymap, history, historyKeymap, indentWithTab } from "@codemirror/commands";
import { bracketMatching, foldGutter, indentOnInput } from "@codemirror/language";
import { highlightSelectionMatches, openSearchPanel, searchKeymap } from "@codemirror/search";
import {
  Annotation,
  Compartment,
  EditorState,
  Transaction,
  type Extension,
} from "@codemirror/state";
import {
  drawSelection,
  EditorView,
  highlightActiveLine,
  highlightSpecialChars,
  keymap,
  lineNumbers,
} from "@codemirror/view";
import { holdsEnvironment } from "@treadle/protocol/project-path";
import { editorTheme } from "./editor-theme.ts";
import { preserveCaret } from "./preserve-caret.ts";
import { loadLanguage } from "./languages.ts";
import { maskedValues, showValues } from "./masked-values.ts";
import { minimalChange } from "./minimal-change.ts";
import { commentMarks } from "./comment-marks.ts";
import { turnMarks } from "./turn-marks.ts";
import { searchInFile } from "./search-panel.ts";
import { words } from "../words/words.ts";

/** Marks changes that do not come from the person. */
export const isExternal = Annotation.define<true>();

export interface TextEditor {
  text(): string;
  /** Replaces only what differs; the cursor, the scroll position and the remaining undo history stay. */
  show(text: string): void;
  /** Appends text written by someone else; scrolls along if the reader is at the end. */
  type(text: string): void;
  /** Empties the editor for a file that is written from its beginning. */
  beginTyping(): void;
  setReadOnly(readOnly: boolean): void;
  /**
   * Adds an extension for editing with others, in place of the editor's own undo history. Show the shared text first.
   */
  share(extension: Extension): void;
  /** Moves the cursor there and scrolls to it. Both are counted from 1 and clamped to the text. */
  goTo(line: number, column: number): void;
  focus(): void;
  /** Shows or masks the values in a file that holds secrets; does nothing in other files. */
  showValues(show: boolean): void;
  /** The CodeMirror view, for extensions that are added once the text is loaded. */
  readonly view: EditorView;
  close(): void;
}

/** Opens one file in CodeMirror, read-only at first. `onEdit` is called for changes by the person only. */
export function openTextEditor(options: {
  parent: HTMLElement;
  path: string;
  /** Number of the first line when only a part of the file is shown; default 1. */
  firstLine?: number;
  onEdit: () => void;
  /** Called on Shift+Alt+F. */
  onFormat?: () => void;
  onSave: () => void;
  onBlur: () => void;
}): TextEditor {
  const { parent, path, firstLine = 1, onEdit, onSave, onBlur } = options;
  const readOnly = new Compartment();
  const language = new Compartment();
  const undoing = new Compartment();
  const locked = (value: boolean) => [EditorState.readOnly.of(value)];
  let following = true;
  const view = new EditorView({
    parent,
    state: EditorState.create({
      doc: "",
      extensions: [
        commentMarks,
        turnMarks,
        preserveCaret,
        lineNumbers({ formatNumber: (line) => String(line + firstLine - 1) }),
        foldGutter(),
        highlightSpecialChars(),
        undoing.of([history(), keymap.of(historyKeymap)]),
        drawSelection(),
        indentOnInput(),
        bracketMatching(),
        closeBrackets(),
        autocompletion(),
        highlightActiveLine(),
        highlightSelectionMatches(),
        searchInFile,
        holdsEnvironment(path) ? maskedValues : [],
        keymap.of([
          {
            key: "Mod-s",
            preventDefault: true,
            run: () => {
              onSave();
              return true;
            },
          },
          { key: "Mod-h", preventDefault: true, run: openSearchPanel },
          {
            key: "Shift-Alt-f",
            preventDefault: true,
            run: () => {
              options.onFormat?.();
              return true;
            },
          },
          ...closeBracketsKeymap,
          ...defaultKeymap,
          ...searchKeymap,
          // Escape, then Tab, leaves the editor for keyboard users.
          indentWithTab,
        ]),
        EditorState.tabSize.of(2),
        language.of([]),
        editorTheme,
        readOnly.of(locked(true)),
        // An editable element is in the tab order anyway; the attribute states it for accessibility checkers.
        EditorView.contentAttributes.of({
          "aria-label": words.files.textOf({ path }),
          tabindex: "0",
        }),
        EditorView.updateListener.of((update) => {
          if (!update.docChanged) return;
          if (update.transactions.some((one) => one.docChanged && !one.annotation(isExternal)))
            onEdit();
        }),
        EditorView.domEventHandlers({
          blur: () => onBlur(),
          wheel: (event) => {
            if (event.deltaY < 0) following = false;
          },
          touchmove: () => {
            following = false;
          },
          scroll: () => {
            // Measured only if the reader has left the end, because measuring forces a layout.
            if (following) return;
            const box = view.scrollDOM;
            if (box.scrollHeight - box.scrollTop - box.clientHeight < 40) following = true;
          },
        }),
      ],
    }),
  });
  let closed = false;
  // The text is shown before its colours are loaded.
  loadLanguage(path)?.then(
    (support) => {
      if (!closed) view.dispatch({ effects: language.reconfigure(support) });
    },
    () => undefined,
  );
  // Scrolls to the beginning of the last line; its end would scroll sideways as well. Dispatched together with the
  // change, so that only lines that become visible are drawn.
  const toEnd = (end: number, text: string) => {
    const line = text.lastIndexOf("\n");
    const at = line === -1 ? view.state.doc.lineAt(end).from : end + line + 1;
    return EditorView.scrollIntoView(at, { y: "end" });
  };
  const outside = [isExternal.of(true), Transaction.addToHistory.of(false)];
  return {
    view,
    text: () => view.state.doc.toString(),
    show(text) {
      const change = minimalChange(view.state.doc.toString(), text);
      if (change) view.dispatch({ changes: change, annotations: outside });
    },
    type(text) {
      const end = view.state.doc.length;
      view.dispatch({
        changes: { from: end, insert: text },
        effects: following ? toEnd(end, text) : [],
        annotations: outside,
      });
    },
    beginTyping() {
      following = true;
      view.dispatch({
        changes: { from: 0, to: view.state.doc.length, insert: "" },
        annotations: outside,
      });
    },
    setReadOnly(value) {
      if (view.state.readOnly !== value)
        view.dispatch({ effects: readOnly.reconfigure(locked(value)) });
    },
    share: (extension) => view.dispatch({ effects: undoing.reconfigure(extension) }),
    goTo(line, column) {
      const { doc } = view.state;
      const at = doc.line(Math.max(1, Math.min(line, doc.lines)));
      const anchor = Math.min(at.from + Math.max(0, column - 1), at.to);
      view.dispatch({
        selection: { anchor },
        effects: EditorView.scrollIntoView(anchor, { y: "center" }),
      });
      view.focus();
    },
    focus: () => view.focus(),
    showValues: (show) => {
      if (holdsEnvironment(path)) showValues(view, show);
    },
    close: () => {
      closed = true;
      view.destroy();
    },
  };
}
