import { RangeSet, StateEffect, StateField, type Extension } from "@codemirror/state";
import { EditorView, gutter, GutterMarker } from "@codemirror/view";
import { words } from "../words/words.ts";
import type { LineMark } from "./line-marks.ts";

class TurnMark extends GutterMarker {
  readonly kind: LineMark["kind"];
  constructor(kind: LineMark["kind"]) {
    super();
    this.kind = kind;
  }
  override eq = (other: TurnMark) => other.kind === this.kind;
  override toDOM(): HTMLElement {
    const mark = document.createElement("div");
    mark.className = `cm-turn-mark cm-turn-${this.kind}`;
    mark.title = words.editor.turnMarks[this.kind];
    return mark;
  }
}

const MARKS = {
  added: new TurnMark("added"),
  changed: new TurnMark("changed"),
  removed: new TurnMark("removed"),
};

const setMarks = StateEffect.define<readonly LineMark[]>();

const marksField = StateField.define<RangeSet<GutterMarker>>({
  create: () => RangeSet.empty,
  update(marks, { changes, effects, state }) {
    let next = marks.map(changes);
    for (const effect of effects)
      if (effect.is(setMarks))
        next = RangeSet.of(
          effect.value.map(({ line, kind }) =>
            MARKS[kind].range(state.doc.line(Math.max(1, Math.min(line, state.doc.lines))).from),
          ),
          true,
        );
    return next;
  },
});

/** A gutter that marks the lines added, changed or removed in the last turn. */
export const turnMarks: Extension = [
  marksField,
  gutter({
    class: "cm-turn-marks",
    markers: (view) => view.state.field(marksField),
    initialSpacer: () => MARKS.added,
  }),
  EditorView.theme({
    ".cm-turn-marks .cm-gutterElement": { width: "4px", padding: "0" },
    ".cm-turn-mark": { width: "3px", height: "100%" },
    ".cm-turn-added": { backgroundColor: "var(--verified)" },
    ".cm-turn-changed": { backgroundColor: "var(--accent)" },
    ".cm-turn-removed": { height: "3px", width: "4px", backgroundColor: "var(--failed)" },
  }),
];

/** Replaces the marks. They move along with edits. */
export const showTurnMarks = (view: EditorView, marks: readonly LineMark[]): void =>
  view.dispatch({ effects: setMarks.of(marks) });
