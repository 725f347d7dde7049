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

/** Milliseconds without a letter before it is asked. */
const PAUSE_MS = 350;
/** What may stand behind the cursor: brackets and quotes that the editor closed. */
const CLOSED = /^[\s)\]}>;,'"`]*$/;

/** What a person does with keys, as the editor calls it: letters, a new line, taking back. */
const TYPED = ["input", "delete.backward"];

/** Asks what would be typed between two texts; empty for nothing. Never rejects. */
export type AskNext = (before: string, after: string, signal: AbortSignal) => Promise<string>;

/** What is offered at a place of the text, and not part of it. */
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

/** Whoever types what was offered has the rest of it still before them. */
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

/** Where the cursor is, if something could be offered there. */
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
        // A list that opens over what is offered, as one types into it, would take Tab away from it.
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
        // Two suggestions at once are none: the list is read first.
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

/** Whoever asks for the list of names has it instead. Comes before the keys, of which that of the list ends the matter. */
const listAsked = Prec.highest(
  EditorView.domEventHandlers({
    keydown({ ctrlKey, altKey, key }, view) {
      const isForList = (ctrlKey && key === " ") || (altKey && (key === "`" || key === "i"));
      if (isForList && view.state.field(ghost)) view.dispatch({ effects: offer.of(undefined) });
    },
  }),
);

/**
 * What `ask` says would be typed next, pale behind the cursor after a pause in typing: Tab takes it, Escape refuses it, and
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
