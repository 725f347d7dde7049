/**
 * Puts a text in the place of all that a field holds, as if the person had typed it: the browser's own undo brings back what
 * stood there, which it does not where a script sets the value.
 */
export function typeOver(field: HTMLTextAreaElement, text: string): void {
  field.focus();
  field.select();
  if (document.execCommand("insertText", false, text)) return;
  field.setRangeText(text, 0, field.value.length, "end");
  field.dispatchEvent(new InputEvent("input", { bubbles: true }));
}
