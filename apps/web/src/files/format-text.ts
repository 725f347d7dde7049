import { LSPPlugin } from "@codemirror/lsp-client";
import { indentUnit } from "@codemirror/language";
import type { EditorView } from "@codemirror/view";
import type { ProjectPath } from "@treadle/protocol";
import type { DocumentFormattingParams, TextEdit } from "vscode-languageserver-protocol";
import { sendJson } from "../api/request.ts";
import { changesOf } from "../language/text-edits.ts";
import { minimalChange } from "./minimal-change.ts";

/**
 * Formats the editor's text with the project's own formatter, or else with the file's language server. A single undo
 * reverts it.
 * @returns whether a formatter was found
 * @throws ApiFailure if the formatter rejects the text
 */
export async function formatText(
  view: EditorView,
  project: string,
  path: ProjectPath,
): Promise<boolean> {
  const { doc } = view.state;
  const address = `/api/projects/${encodeURIComponent(project)}/format`;
  const { text } = await sendJson<{ text?: string }>("POST", address, {
    path,
    text: doc.toString(),
  });
  const changes =
    text === undefined ? await formatByServer(view) : (minimalChange(doc.toString(), text) ?? []);
  if (!changes) return false;
  // Text typed meanwhile is not overwritten, and the model's text is not changed while it is being written.
  if (view.state.doc === doc && !view.state.readOnly)
    view.dispatch({ changes, userEvent: "format" });
  return true;
}

async function formatByServer(view: EditorView) {
  const plugin = LSPPlugin.get(view);
  if (!plugin?.client.serverCapabilities?.documentFormattingProvider) return undefined;
  plugin.client.sync();
  const unit = view.state.facet(indentUnit);
  const edits = await plugin.client.request<DocumentFormattingParams, TextEdit[] | null>(
    "textDocument/formatting",
    {
      textDocument: { uri: plugin.uri },
      options: {
        tabSize: view.state.tabSize,
        insertSpaces: !unit.includes("\t"),
        insertFinalNewline: view.state.doc.line(view.state.doc.lines).length === 0,
      },
    },
  );
  return changesOf(view.state.doc, edits ?? []);
}
