import {
  autocompletion,
  pickedCompletion,
  snippet,
  type Completion,
  type CompletionContext,
  type CompletionResult,
} from "@codemirror/autocomplete";
import { LSPPlugin } from "@codemirror/lsp-client";
import type { EditorState, Extension, Text } from "@codemirror/state";
import type { EditorView } from "@codemirror/view";
import type {
  CompletionItem,
  CompletionList,
  CompletionParams,
} from "vscode-languageserver-protocol";
import { changesOf, rangeOf } from "./text-edits.ts";

/** Maximum suggestions in an unfiltered list; larger answers are listed only after a letter, and filtered by it. */
const MAX_UNFILTERED = 5_000;
/** Time limit for resolving an import. Without it the suggestion is inserted alone. */
const RESOLVE_MS = 2_000;

/** Icon names of the editor, by the protocol's numbers. */
const KINDS = (
  "text method function function property variable class interface namespace property property constant enum " +
  "keyword text text text text text enum constant class type type type"
).split(" ");

/** Suggestions of the language server, replacing those that the editor derives from the text. */
export const serverCompletion = (): Extension => autocompletion({ override: [complete] });

async function complete(context: CompletionContext): Promise<CompletionResult | null> {
  const plugin = context.view && LSPPlugin.get(context.view);
  if (!plugin) return null;
  const before = context.state.sliceDoc(context.pos - 1, context.pos);
  const triggers = plugin.client.serverCapabilities?.completionProvider?.triggerCharacters ?? [];
  const isTrigger = triggers.includes(before);
  if (!context.explicit && !/[\w$]/.test(before) && !isTrigger) return null;
  plugin.client.sync();
  const params: CompletionParams = {
    position: plugin.toPosition(context.pos),
    textDocument: { uri: plugin.uri },
    context:
      isTrigger && !context.explicit
        ? { triggerKind: 2, triggerCharacter: before }
        : { triggerKind: 1 },
  };
  context.addEventListener("abort", () => plugin.client.cancelRequest(params));
  const answer = await plugin.client
    .request<CompletionParams, CompletionItem[] | CompletionList | null>(
      "textDocument/completion",
      params,
    )
    .catch(() => null);
  const items = (Array.isArray(answer) ? answer : answer?.items) ?? [];
  if (!Array.isArray(items) || items.length === 0) return null;
  const { from, to } = rangeFor(context.state, context.pos, items[0], answer);
  const doc = context.state.doc;
  const typed = context.state.sliceDoc(from, context.pos).toLowerCase();
  return {
    from,
    to,
    options: items
      .filter((item) => typeof item?.label === "string" && matchesLetters(item.label, typed))
      .slice(0, MAX_UNFILTERED)
      .map((item) => optionOf(item, plugin, doc)),
    // An incomplete list is requested again at the next letter.
    validFor: !Array.isArray(answer) && answer?.isIncomplete ? undefined : /^[\w$-]*$/,
  };
}

/** Whether the label contains these letters in this order; otherwise it is never shown, whatever is typed next. */
function matchesLetters(label: string, letters: string): boolean {
  const low = label.toLowerCase();
  let at = 0;
  for (const letter of letters) {
    at = low.indexOf(letter, at) + 1;
    if (at === 0) return false;
  }
  return true;
}

/** The range that a chosen suggestion replaces. */
function rangeFor(
  state: EditorState,
  pos: number,
  first: CompletionItem | undefined,
  answer: CompletionItem[] | CompletionList | null,
): { from: number; to: number } {
  const shared = Array.isArray(answer) ? undefined : answer?.itemDefaults?.editRange;
  const own = first?.textEdit;
  const range = own
    ? "range" in own
      ? own.range
      : own.insert
    : shared && ("insert" in shared ? shared.insert : shared);
  const place = rangeOf(state.doc, range);
  if (place && place.from <= pos && place.to >= pos) return place;
  // Limits the search, because a line may be a whole file and the pattern is tried at each character.
  const word = /[\w$]*$/.exec(
    state.sliceDoc(Math.max(state.doc.lineAt(pos).from, pos - MAX_WORD_CHARS), pos),
  );
  return { from: pos - (word?.[0].length ?? 0), to: pos };
}

/** Maximum characters of the word being typed. */
const MAX_WORD_CHARS = 256;

function optionOf(item: CompletionItem, plugin: LSPPlugin, doc: Text): Completion {
  const text = item.textEdit?.newText ?? item.textEditText ?? item.insertText ?? item.label;
  const resolved = once(() =>
    plugin.client.serverCapabilities?.completionProvider?.resolveProvider
      ? plugin.client.request<CompletionItem, CompletionItem>("completionItem/resolve", item)
      : Promise.resolve(item),
  );
  const option: Completion = {
    label: item.label,
    type: item.kind === undefined ? undefined : KINDS[item.kind - 1],
    detail: item.labelDetails?.description ?? item.labelDetails?.detail,
    sortText: item.sortText,
    async info() {
      const resolvedItem = await resolved().catch(() => item);
      const words = [
        resolvedItem.detail ? `\`\`\`\n${resolvedItem.detail}\n\`\`\`` : "",
        docOf(resolvedItem),
      ];
      const value = words.filter(Boolean).join("\n\n");
      if (value === "") return null;
      const dom = document.createElement("div");
      dom.className = "cm-lsp-documentation";
      dom.innerHTML = plugin.docToHTML({ kind: "markdown", value });
      return dom;
    },
    apply(view, completion, from, to) {
      if (item.insertTextFormat === 2)
        snippet(text.replaceAll(/\$(\d+)/g, "${$1}"))(view, completion, from, to); // prettier-ignore
      else
        view.dispatch({
          changes: { from, to, insert: text },
          selection: { anchor: from + text.length },
          annotations: pickedCompletion.of(completion),
          userEvent: "input.complete",
        });
      void addImports(view, resolved, doc, from);
    },
  };
  return option;
}

/**
 * Applies the additional edits of a suggestion, usually an import. Their positions refer to the text of the request, so
 * they are applied only if everything before the suggestion is unchanged.
 */
async function addImports(
  view: EditorView,
  resolved: () => Promise<CompletionItem>,
  doc: Text,
  from: number,
): Promise<void> {
  const late = new Promise<undefined>((resolve) =>
    setTimeout(() => resolve(undefined), RESOLVE_MS),
  );
  const resolvedItem = await Promise.race([resolved().catch(() => undefined), late]);
  const edits = resolvedItem?.additionalTextEdits;
  const changes = edits && changesOf(doc, edits);
  if (!changes || changes.length === 0 || changes.some(({ to }) => to > from)) return;
  if (view.state.sliceDoc(0, from) !== doc.sliceString(0, from)) return;
  view.dispatch({ changes, userEvent: "input.complete" });
}

const docOf = ({ documentation }: CompletionItem): string =>
  typeof documentation === "string" ? documentation : (documentation?.value ?? "");

function once<T>(act: () => Promise<T>): () => Promise<T> {
  let made: Promise<T> | undefined;
  return () => (made ??= act());
}
