import { LSPPlugin } from "@codemirror/lsp-client";
import type { Extension } from "@codemirror/state";
import { getDialog, keymap, showDialog, type EditorView } from "@codemirror/view";
import type { ProjectPath } from "@treadle/protocol";
import type { RenameParams, TextEdit, WorkspaceEdit } from "vscode-languageserver-protocol";
import { readFile, writeFile } from "../api/files.ts";
import { sentence } from "../api/request.ts";
import { saveEdits } from "../project/unsaved.ts";
import { notice, noticeError } from "../ui/notice.ts";
import { words } from "../words/words.ts";
import { applyChanges } from "./apply-changes.ts";
import type { LanguageServer } from "./language-server.ts";
import { pathOf } from "./uris.ts";

/** Maximum number of files that a rename may change. */
const MAX_FILES = 500;

/** How long a rename can be undone with one click, in milliseconds. */
const UNDO_MS = 12_000;

/** F2 renames the symbol under the cursor in every file that uses it. */
export const renameName = (server: LanguageServer, project: string): Extension =>
  keymap.of([
    { key: "F2", preventDefault: true, run: (view) => askForName(view, server, project) },
  ]);

function askForName(view: EditorView, server: LanguageServer, project: string): boolean {
  const plugin = LSPPlugin.get(view);
  const word = view.state.wordAt(view.state.selection.main.head);
  if (!plugin || !word || view.state.readOnly) return false;
  const name = view.state.sliceDoc(word.from, word.to);
  const open = getDialog(view, "cm-rename");
  if (open) {
    open.dom.querySelector("input")?.select();
    return true;
  }
  const { close, result } = showDialog(view, {
    label: words.editor.newName,
    input: { name: "name", value: name, "aria-label": words.editor.newName },
    focus: "input",
    submitLabel: words.editor.rename,
    class: "cm-rename",
  });
  void result.then((form) => {
    view.dispatch({ effects: close });
    view.focus();
    const field = form?.elements.namedItem("name");
    const next = field instanceof HTMLInputElement ? field.value.trim() : "";
    if (next !== "" && next !== name) void rename(view, server, project, word.from, next);
  });
  return true;
}

async function rename(
  view: EditorView,
  server: LanguageServer,
  project: string,
  pos: number,
  newName: string,
): Promise<void> {
  const plugin = LSPPlugin.get(view);
  if (!plugin) return;
  try {
    // The server reads files from the disk, so unsaved text is written first.
    await saveEdits();
    plugin.client.sync();
    const edit = await plugin.client.request<RenameParams, WorkspaceEdit | null>(
      "textDocument/rename",
      { newName, position: plugin.toPosition(pos), textDocument: { uri: plugin.uri } },
    );
    const files = filesOf(server.root, edit);
    if (files.length === 0) return notice(words.editor.notRenamed);
    const done = await applyChanges(files, {
      read: (path) => readFile(project, path),
      write: (path, text, version) => writeFile(project, path, text, version, { unseen: true }),
    });
    if (done.skipped.length > 0)
      noticeError(words.editor.renamedPartly({ files: done.skipped.join(", ") }));
    else
      notice(words.editor.renamed({ name: newName, files: done.changed }), {
        duration: UNDO_MS,
        action: { label: words.files.undo, onClick: () => void takeBack(done.undo) },
      });
  } catch (error) {
    noticeError(sentence(error instanceof Error ? error : new Error(String((error as { message?: unknown })?.message ?? error)))); // prettier-ignore
  }
}

async function takeBack(undo: () => Promise<ProjectPath[]>): Promise<void> {
  // Text typed since the rename is saved first, so that the undo skips its files and the text stays.
  await saveEdits();
  const stay = await undo();
  if (stay.length > 0) noticeError(words.editor.notTakenBack({ files: stay.join(", ") }));
}

/**
 * The edits by file.
 * @throws Error if a file is outside the project, or files would be created, moved or deleted; nothing is changed then
 */
export function filesOf(
  root: string,
  edit: WorkspaceEdit | null,
): { path: ProjectPath; edits: TextEdit[] }[] {
  const named: [uri: unknown, edits: unknown][] = [];
  for (const change of edit?.documentChanges ?? []) {
    if (!("textDocument" in change)) throw new Error(words.editor.refusedEdit);
    named.push([change.textDocument?.uri, change.edits]);
  }
  if (!edit?.documentChanges) named.push(...Object.entries(edit?.changes ?? {}));
  if (named.length > MAX_FILES) throw new Error(words.editor.refusedEdit);
  return named.map(([uri, edits]) => {
    const path = pathOf(root, uri);
    if (path === undefined || /(?:^|\/)node_modules\//.test(path) || !Array.isArray(edits))
      throw new Error(words.editor.refusedEdit);
    return { path, edits: edits as TextEdit[] };
  });
}
