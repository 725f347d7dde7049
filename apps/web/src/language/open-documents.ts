import { LSPPlugin, Workspace, type WorkspaceFile } from "@codemirror/lsp-client";
import { Text, type ChangeSet } from "@codemirror/state";
import type { EditorView } from "@codemirror/view";

class OpenDocument implements WorkspaceFile {
  version = 0;
  readonly uri: string;
  readonly languageId: string;
  readonly view: EditorView;
  doc: Text;
  constructor(uri: string, languageId: string, view: EditorView) {
    this.uri = uri;
    this.languageId = languageId;
    this.view = view;
    this.doc = view.state.doc;
  }
  getView = () => this.view;
}

/**
 * The files open in a language server, with the text of their editors. If two editors show a file, the first one edits it;
 * edits in the other arrive through the file.
 */
export class OpenDocuments extends Workspace {
  override files: OpenDocument[] = [];
  /** A file opened without an editor, because a server loads a project only once one of its files is open. */
  #shown: string | undefined;

  /**
   * Opens a file in the language server without an editor, unless an editor has any file open. It is closed when an
   * editor opens this file, or when another is opened this way.
   */
  show(uri: string, languageId: string, text: string): void {
    if (this.files.length > 0 || this.#shown === uri) return;
    this.#hide();
    this.#shown = uri;
    this.client.didOpen({
      uri,
      languageId,
      version: 0,
      doc: Text.of(text.split("\n")),
      getView: () => null,
    });
  }

  #hide(): void {
    if (this.#shown !== undefined) this.client.didClose(this.#shown);
    this.#shown = undefined;
  }

  override disconnected(): void {
    this.#shown = undefined;
  }

  override syncFiles() {
    const updates: { file: OpenDocument; prevDoc: Text; changes: ChangeSet }[] = [];
    for (const file of this.files) {
      const plugin = LSPPlugin.get(file.view);
      if (!plugin || plugin.unsyncedChanges.empty) continue;
      updates.push({ changes: plugin.unsyncedChanges, file, prevDoc: file.doc });
      file.doc = file.view.state.doc;
      file.version++;
      plugin.clear();
    }
    return updates;
  }

  override openFile(uri: string, languageId: string, view: EditorView): void {
    if (this.getFile(uri)) return;
    if (this.#shown === uri) this.#hide();
    const file = new OpenDocument(uri, languageId, view);
    this.files.push(file);
    this.client.didOpen(file);
  }

  override closeFile(uri: string, view: EditorView): void {
    const file = this.files.find((one) => one.uri === uri && one.view === view);
    if (!file) return;
    this.files = this.files.filter((one) => one !== file);
    this.client.didClose(uri);
  }
}
