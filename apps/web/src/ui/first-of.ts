const FIRST = [
  "textarea:enabled",
  "select:enabled",
  "input:enabled:not([type=checkbox], [type=radio], [type=file])",
  "input[type=radio]:enabled:checked",
  "button[data-main]:enabled",
].join();

/**
 * Where whoever opens a dialog goes on at once: its first field, or its main action where that comes before. A finger goes
 * where it wants, and a field would bring its keyboard up over the dialog.
 */
export const firstOf = (dialog: HTMLElement): HTMLElement | null =>
  matchMedia("(pointer: coarse)").matches ? null : dialog.querySelector<HTMLElement>(FIRST);
