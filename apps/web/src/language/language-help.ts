import { hoverTooltips, LSPPlugin, signatureHelp } from "@codemirror/lsp-client";
import type { EditorView } from "@codemirror/view";
import { StateEffect, Compartment } from "@codemirror/state";
import { EditorView as View } from "@codemirror/view";
import type { ProjectPath } from "@treadle/protocol";
import { serverCompletion } from "./completion.ts";
import { findUses, goToDefinition, listSymbols, type ShowPlaces } from "./go-to.ts";
import { languageServer } from "./language-server.ts";
import { languageTheme } from "./language-theme.ts";
import { askForProblems, problemMarks } from "./problems.ts";
import { renameName } from "./rename.ts";
import { servedBy } from "./served-languages.ts";
import { uriOf } from "./uris.ts";

/**
 * Connects an editor to its file's language server: suggestions, problems, hover information and definitions.
 * @returns a function that disconnects it; undefined if no server handles the file
 */
export function helpWithLanguage(
  view: EditorView,
  options: {
    project: string;
    path: ProjectPath;
    onUses: ShowPlaces;
  },
): (() => void) | undefined {
  const { project, path } = options;
  const served = servedBy(path);
  if (!served) return undefined;
  const server = languageServer(project, served.server);
  const leave = server.use();
  const help = new Compartment();
  let isClosed = false;
  void server.ready().then((root) => {
    if (isClosed || LSPPlugin.get(view)) return;
    const extensions = [
      server.client.plugin(uriOf(root, path), served.language),
      serverCompletion(),
      hoverTooltips({ hoverTime: 300 }),
      signatureHelp(),
      problemMarks(served.server === "vue"),
      goToDefinition(server),
      findUses(server, options.onUses),
      listSymbols(path, options.onUses),
      renameName(server, project),
      languageTheme,
      View.editorAttributes.of({ "data-language-help": served.server }),
      // Activity wakes a sleeping server; problems are requested again, because other files may have changed.
      View.domEventHandlers({
        focus: (_event, focused) => {
          server.wake();
          askForProblems(focused);
        },
      }),
      View.updateListener.of((update) => {
        if (update.docChanged) server.wake();
      }),
    ];
    view.dispatch({ effects: StateEffect.appendConfig.of(help.of(extensions)) });
    askForProblems(view);
  });
  const forget = server.onRefresh(() => {
    if (!isClosed && LSPPlugin.get(view)) askForProblems(view);
  });
  return () => {
    isClosed = true;
    forget();
    leave();
  };
}
