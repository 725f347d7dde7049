import { closeCompletion, completionStatus } from "@codemirror/autocomplete";
import {
  Prec,
  StateEffect,
  StateField,
  type EditorState,
  type Extension,
  type Transaction,
} from "@codemirror/state";
import {
  Decoration,
  EditorView,
  keymap,
  ViewPlugin,
  WidgetType,
  type ViewUpdate,
} from "@codemirror/view";
import { words } from "../words/words.ts";

/** Pause in typing before a suggestion is requested, in milliseconds. */
const PAUSE_MS = 350;
/** Characters allowed after the cursor: brackets and quotes that the editor closed. */
const CLOSED = /^[\s)\]}>;,'"`]*$/;

/** CodeMirror's user events for typing: letters, a new line, backspace. */
const TYPED = ["input", "delete.backward"];

/** Requests the text between two texts; resolves with "" for no suggestion. Never rejects. */
export type AskNext = (before: string, after: string, signal: AbortSignal) => Promise<string>;

/** A suggestion at a position; not part of the document. */
interface Ghost {
  at: number;
  text: string;
}

const offer = StateEffect.define<Ghost | undefined>();

class GhostWidget extends WidgetType {
  readonly text: string;
  constructor(text: string) {
    super();
    this.text = text;
  }
  override eq(other: GhostWidget): boolean {
    return other.text === this.text;
  }
  toDOM(): HTMLElement {
    const element = document.createElement("span");
    element.className = "cm-ghost";
    element.textContent = this.text;
    return element;
  }
}

const ghost = StateField.define<Ghost | undefined>({
  create: () => undefined,
  update(value, transaction) {
    for (const effect of transaction.effects) if (effect.is(offer)) return effect.value;
    if (!value) return undefined;
    if (transaction.docChanged) return typedInto(value, transaction);
    return transaction.selection ? undefined : value;
  },
  provide: (field) =>
    EditorView.decorations.from(field, (value) =>
      value
        ? Decoration.set(
            Decoration.widget({ widget: new GhostWidget(value.text), side: 1 }).range(value.at),
          )
        : Decoration.none,
    ),
});

/** The rest of a suggestion after the person typed its beginning; undefined if they typed something else. */
function typedInto({ at, text }: Ghost, { changes }: Transaction): Ghost | undefined {
  let typed: string | undefined;
  let count = 0;
  changes.iterChanges((from, to, _fromB, _toB, inserted) => {
    count++;
    if (from === at && to === at) typed = inserted.toString();
  });
  if (count !== 1 || !typed || !text.startsWith(typed) || typed.length === text.length)
    return undefined;
  return { at: at + typed.length, text: text.slice(typed.length) };
}

/** The cursor's position, if a suggestion could be shown there. */
function cursorOf(state: EditorState): number | undefined {
  const { main, ranges } = state.selection;
  if (!main.empty || ranges.length > 1 || state.readOnly) return undefined;
  const line = state.doc.lineAt(main.head);
  return CLOSED.test(line.text.slice(main.head - line.from)) ? main.head : undefined;
}

const asking = (ask: AskNext) =>
  ViewPlugin.fromClass(
    class {
      readonly #view: EditorView;
      #timer: ReturnType<typeof setTimeout> | undefined;
      #stop: AbortController | undefined;

      constructor(view: EditorView) {
        this.#view = view;
      }

      update({ docChanged, selectionSet, transactions, state }: ViewUpdate): void {
        // A completion list that opens while a suggestion is shown would take the Tab key, so the suggestion closes it.
        if (state.field(ghost) && completionStatus(state) === "active")
          queueMicrotask(() => closeCompletion(this.#view));
        if (!docChanged && !selectionSet) return;
        this.#cancel();
        const isTyped = transactions.some(
          (one) =>
            TYPED.some((event) => one.isUserEvent(event)) && !one.isUserEvent("input.complete"),
        );
        if (isTyped && !state.field(ghost)) this.#later();
      }

      destroy(): void {
        this.#cancel();
      }

      #later(): void {
        this.#timer = setTimeout(() => void this.#ask(), PAUSE_MS);
      }

      #cancel(): void {
        clearTimeout(this.#timer);
        this.#stop?.abort();
        this.#stop = undefined;
      }

      async #ask(): Promise<void> {
        const { state } = this.#view;
        const at = cursorOf(state);
        if (at === undefined || !this.#view.hasFocus) return;
        // Only one suggestion at a time: the completion list comes first.
        if (completionStatus(state) !== null) return this.#later();
        const stop = new AbortController();
        this.#stop = stop;
        const text = await ask(state.sliceDoc(0, at), state.sliceDoc(at), stop.signal);
        if (stop.signal.aborted || text === "" || completionStatus(this.#view.state) !== null)
          return;
        this.#view.dispatch({
          effects: [
            offer.of({ at, text }),
            EditorView.announce.of(words.editor.offered({ text: text.trim() })),
          ],
        });
      }
    },
  );

const keys = Prec.highest(
  keymap.of([
    {
      key: "Tab",
      run(view) {
        const { at, text } = view.state.field(ghost) ?? {};
        if (at === undefined || text === undefined || completionStatus(view.state) === "active")
          return false;
        view.dispatch({
          changes: { from: at, insert: text },
          selection: { anchor: at + text.length },
          effects: offer.of(undefined),
          userEvent: "input.complete",
          scrollIntoView: true,
        });
        return true;
      },
    },
    {
      key: "Escape",
      run(view) {
        if (!view.state.field(ghost)) return false;
        view.dispatch({ effects: offer.of(undefined) });
        return true;
      },
    },
  ]),
);

/**
 * Opening the completion list removes the suggestion. Runs before the list's own key bindings, which stop the event.
 */
const listAsked = Prec.highest(
  EditorView.domEventHandlers({
    keydown({ ctrlKey, altKey, key }, view) {
      const isForList = (ctrlKey && key === " ") || (altKey && (key === "`" || key === "i"));
      if (isForList && view.state.field(ghost)) view.dispatch({ effects: offer.of(undefined) });
    },
  }),
);

/**
 * Shows the text suggested by `ask` in grey after the cursor once typing pauses. Tab accepts it, Escape rejects it, and
 * typing on does either.
 */
export const ghostText = (ask: AskNext): Extension => [
  ghost,
  asking(ask),
  listAsked,
  keys,
  EditorView.baseTheme({
    ".cm-ghost": { color: "var(--color-quiet)", fontStyle: "italic", whiteSpace: "pre-wrap" },
  }),
];
