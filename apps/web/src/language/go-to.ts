import { LSPPlugin } from "@codemirror/lsp-client";
import { Prec, type Extension } from "@codemirror/state";
import { EditorView, keymap } from "@codemirror/view";
import type { ProjectPath } from "@treadle/protocol";
import type {
  DocumentSymbol,
  Location,
  LocationLink,
  Range,
  SymbolInformation,
} from "vscode-languageserver-protocol";
import { useWork } from "../project/work-store.ts";
import { notice } from "../ui/notice.ts";
import { words } from "../words/words.ts";
import type { LanguageServer } from "./language-server.ts";
import { pathOf } from "./uris.ts";

/** A place in a project file; lines and columns are counted from 1. */
export interface Found {
  path: ProjectPath;
  line: number;
  column: number;
  /** Length in characters, if it is on one line. */
  length: number;
}

/** Lists places under a title; `word` is highlighted in them. */
export type ShowPlaces = (title: string, word: string, found: readonly Found[]) => void;

/** F12, and a click with Ctrl or Cmd, go to the definition of a name. */
export function goToDefinition(server: LanguageServer): Extension {
  const go = (view: EditorView, pos: number) => {
    void ask(server, view, "textDocument/definition", pos).then(
      ({ found, elsewhere }) => {
        const [first] = found;
        if (first) useWork.getState().openFile(first.path, first);
        else notice(elsewhere ? words.editor.elsewhere : words.editor.noDefinition);
      },
      () => notice(words.editor.noAnswer),
    );
    return true;
  };
  return [
    keymap.of([
      { key: "F12", run: (view) => go(view, view.state.selection.main.head), preventDefault: true },
    ]),
    // Runs before the editor's own handler, which adds a cursor.
    Prec.high(
      EditorView.domEventHandlers({
        mousedown(event, view) {
          if (event.button !== 0 || !(event.ctrlKey || event.metaKey) || event.altKey) return false;
          const pos = view.posAtCoords({ x: event.clientX, y: event.clientY });
          if (pos === null || !view.state.wordAt(pos)) return false;
          event.preventDefault();
          return go(view, pos);
        },
      }),
    ),
  ];
}

/** Shift+F12 lists every use of the name. */
export function findUses(server: LanguageServer, show: ShowPlaces): Extension {
  return keymap.of([
    {
      key: "Shift-F12",
      preventDefault: true,
      run(view) {
        const { head } = view.state.selection.main;
        const word = view.state.wordAt(head);
        if (!word) return false;
        void ask(server, view, "textDocument/references", head).then(
          ({ found }) => {
            const name = view.state.sliceDoc(word.from, word.to);
            show(words.editor.usesOf({ name, uses: found.length }), name, found);
          },
          () => notice(words.editor.noAnswer),
        );
        return true;
      },
    },
  ]);
}

/** Ctrl or Cmd with Shift and O lists the symbols of the file. */
export function listSymbols(path: ProjectPath, show: ShowPlaces): Extension {
  return keymap.of([
    {
      key: "Mod-Shift-o",
      preventDefault: true,
      run(view) {
        const plugin = LSPPlugin.get(view);
        if (!plugin) return false;
        plugin.client.sync();
        void plugin.client
          .request<object, (DocumentSymbol | SymbolInformation)[] | null>(
            "textDocument/documentSymbol",
            { textDocument: { uri: plugin.uri } },
          )
          .then(
            (symbols) => {
              const found = (symbols ?? []).flatMap((symbol) => placesOf(path, symbol, 0));
              show(words.editor.symbolsOf({ path, amount: found.length }), "", found);
            },
            () => notice(words.editor.noAnswer),
          );
        return true;
      },
    },
  ]);
}

/** Maximum depth of nested symbols. */
const MAX_DEPTH = 6;

function placesOf(
  path: ProjectPath,
  symbol: DocumentSymbol | SymbolInformation,
  depth: number,
): Found[] {
  if ("location" in symbol) return placeIn(path, symbol.location?.range);
  const inner = depth < MAX_DEPTH && Array.isArray(symbol.children) ? symbol.children : [];
  return [
    ...placeIn(path, symbol.selectionRange),
    ...inner.flatMap((one) => placesOf(path, one, depth + 1)),
  ];
}

async function ask(server: LanguageServer, view: EditorView, method: string, pos: number) {
  const plugin = LSPPlugin.get(view);
  if (!plugin) return { found: [], elsewhere: false };
  plugin.client.sync();
  const answer = await plugin.client.request<object, Location | (Location | LocationLink)[] | null>(
    method,
    {
      position: plugin.toPosition(pos),
      textDocument: { uri: plugin.uri },
      context: { includeDeclaration: true },
    },
  );
  const all = answer === null ? [] : Array.isArray(answer) ? answer : [answer];
  const found = all.flatMap((one) => foundIn(server.root, one));
  return { found, elsewhere: all.length > 0 && found.length === 0 };
}

/** A place in the project; empty if it is invalid or outside the project. */
function foundIn(root: string, place: Location | LocationLink): Found[] {
  const [uri, range] =
    "targetUri" in place ? [place.targetUri, place.targetSelectionRange] : [place.uri, place.range];
  const path = pathOf(root, uri);
  return path === undefined ? [] : placeIn(path, range);
}

function placeIn(path: ProjectPath, range: Range | undefined): Found[] {
  const { line, character } = range?.start ?? {};
  if (!Number.isInteger(line) || !Number.isInteger(character)) return [];
  const same = range!.end?.line === line;
  const length = same ? Math.max(0, range!.end.character - range!.start.character) : 0;
  return [{ path, line: range!.start.line + 1, column: range!.start.character + 1, length }];
}
