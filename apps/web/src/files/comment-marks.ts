import { RangeSet, StateEffect, StateField, type Extension } from "@codemirror/state";
import { EditorView, gutter, GutterMarker } from "@codemirror/view";
import { openComments } from "../project/comments-store.ts";
import { words } from "../words/words.ts";

class CommentMark extends GutterMarker {
  readonly thread: string;
  constructor(thread: string) {
    super();
    this.thread = thread;
  }
  override eq = (other: CommentMark) => other.thread === this.thread;
  override toDOM(): HTMLElement {
    // For the pointer only: CodeMirror hides gutters from screen readers. The list of comments leads to the line as
    // well.
    const mark = document.createElement("div");
    mark.className = "cm-comment-mark";
    mark.title = words.comments.here;
    mark.addEventListener("click", () => openComments(this.thread));
    return mark;
  }
}

const setMarks = StateEffect.define<RangeSet<CommentMark>>();

const marksField = StateField.define<RangeSet<CommentMark>>({
  create: () => RangeSet.empty,
  update(marks, { changes, effects }) {
    let next = marks.map(changes);
    for (const effect of effects) if (effect.is(setMarks)) next = effect.value;
    return next;
  },
});

/** A gutter that marks the lines with an open thread of comments. Clicking a mark opens its thread. */
export const commentMarks: Extension = [
  marksField,
  gutter({
    class: "cm-comment-marks",
    markers: (view) => view.state.field(marksField),
    initialSpacer: () => new CommentMark(""),
  }),
  EditorView.theme({
    ".cm-comment-marks .cm-gutterElement": { width: "14px", display: "flex", alignItems: "center" },
    ".cm-comment-mark": {
      width: "8px",
      height: "8px",
      margin: "auto",
      borderRadius: "50% 50% 50% 0",
      backgroundColor: "var(--accent)",
      cursor: "pointer",
    },
  }),
];

/** Replaces the marks; they move along with edits. Only the first thread of a line has one. */
export function showCommentMarks(view: EditorView, lines: ReadonlyMap<number, string>): void {
  const { doc } = view.state;
  const marks = [...lines]
    .filter(([line]) => line <= doc.lines)
    .map(([line, thread]) => new CommentMark(thread).range(doc.line(line).from));
  view.dispatch({ effects: setMarks.of(RangeSet.of(marks, true)) });
}
