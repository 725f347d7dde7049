import { ViewPlugin, type EditorView } from "@codemirror/view";

/**
 * Leaves the caret where it is when a line is drawn anew: its colours come, a mark is set. Within 200 ms of a focus
 * CodeMirror takes the caret that such a drawing moved to the start for the browser's own doing, and leaves it there.
 */
export const keptCaret = ViewPlugin.define(() => ({ docViewUpdate: putBack }));

function putBack(view: EditorView): void {
  const drawn = view.hasFocus && !view.composing && document.getSelection();
  if (!drawn || !drawn.isCollapsed || drawn.anchorOffset !== 0) return;
  const { empty, head } = view.state.selection.main;
  if (!empty || !drawn.anchorNode || view.posAtDOM(drawn.anchorNode, 0) === head) return;
  const { node, offset } = view.domAtPos(head);
  drawn.collapse(node, offset);
}
