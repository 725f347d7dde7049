/**
 * Replaces a field's text as if the person had typed it, so that the browser's undo restores the previous text. Setting the
 * value by script would discard the undo history.
 */
export function replaceFieldText(field: HTMLTextAreaElement, text: string): void {
  field.focus();
  field.select();
  if (document.execCommand("insertText", false, text)) return;
  field.setRangeText(text, 0, field.value.length, "end");
  field.dispatchEvent(new InputEvent("input", { bubbles: true }));
}
