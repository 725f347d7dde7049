import { ViewPlugin, type EditorView } from "@codemirror/view";

/**
 * Keeps the caret in place when its line is redrawn, for example with new colours or a mark. Within 200 ms of a focus,
 * CodeMirror treats a caret moved to the start by such a redraw as the browser's own action and leaves it there.
 */
export const preserveCaret = ViewPlugin.define(() => ({ docViewUpdate: restoreCaret }));

function restoreCaret(view: EditorView): void {
  const drawn = view.hasFocus && !view.composing && document.getSelection();
  if (!drawn || !drawn.isCollapsed || drawn.anchorOffset !== 0) return;
  const { empty, head } = view.state.selection.main;
  if (!empty || !drawn.anchorNode || view.posAtDOM(drawn.anchorNode, 0) === head) return;
  const { node, offset } = view.domAtPos(head);
  drawn.collapse(node, offset);
}
