import { RangeSetBuilder, StateEffect, StateField, type EditorState } from "@codemirror/state";
import {
  Decoration,
  type EditorView,
  ViewPlugin,
  WidgetType,
  type DecorationSet,
  type ViewUpdate,
} from "@codemirror/view";
import { words } from "../words/words.ts";

/** The range of the value in a line `NAME=value`; undefined for other lines. */
export function valueIn(line: string): { from: number; to: number } | undefined {
  const name = /^\s*(?:export\s+)?[\w.-]+\s*[=:]\s*/.exec(line)?.[0];
  if (name === undefined) return undefined;
  const to = line.trimEnd().length;
  return to > name.length ? { from: name.length, to } : undefined;
}

const shownNow = StateEffect.define<boolean>();
const shown = StateField.define<boolean>({
  create: () => false,
  update: (value, transaction) =>
    transaction.effects.reduce((now, effect) => (effect.is(shownNow) ? effect.value : now), value),
});

class Dots extends WidgetType {
  override eq(): boolean {
    return true;
  }
  toDOM(): HTMLElement {
    const dots = document.createElement("span");
    dots.className = "cm-masked";
    dots.textContent = "••••••••";
    dots.setAttribute("aria-label", words.editor.hiddenValue);
    dots.setAttribute("role", "img");
    return dots;
  }
}
const dots = Decoration.replace({ widget: new Dots() });

/** Masks all values except on the cursor's line. */
function masked({ state, visibleRanges, hasFocus }: EditorView): DecorationSet {
  const builder = new RangeSetBuilder<Decoration>();
  if (state.field(shown)) return builder.finish();
  const own = hasFocus ? linesOf(state) : new Set<number>();
  for (const { from, to } of visibleRanges) {
    for (let at = from; at <= to;) {
      const line = state.doc.lineAt(at);
      const value = own.has(line.number) ? undefined : valueIn(line.text);
      if (value) builder.add(line.from + value.from, line.from + value.to, dots);
      at = line.to + 1;
    }
  }
  return builder.finish();
}

const linesOf = ({ doc, selection }: EditorState) =>
  new Set(
    selection.ranges.flatMap(({ anchor, head }) => [
      doc.lineAt(anchor).number,
      doc.lineAt(head).number,
    ]),
  );

/** Masks the values of a file with secrets, so that they cannot be read over the person's shoulder. */
export const maskedValues = [
  shown,
  ViewPlugin.fromClass(
    class {
      decorations: DecorationSet;
      constructor(view: EditorView) {
        this.decorations = masked(view);
      }
      update({ view }: ViewUpdate) {
        this.decorations = masked(view);
      }
    },
    { decorations: (plugin) => plugin.decorations },
  ),
];

export const showValues = (view: EditorView, show: boolean) =>
  view.dispatch({ effects: shownNow.of(show) });
