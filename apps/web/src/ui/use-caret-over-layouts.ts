import { useLayoutEffect, type RefObject } from "react";

/** The caret's position in a field that is being unmounted. */
let lastCaret: { start: number; end: number } | undefined;

/**
 * Keeps the focus and the caret when another layout moves a field: a phone is rotated, or a window becomes narrow. Both
 * fields change in one commit; a field mounted later is not affected.
 */
export function useCaretOverLayouts(field: RefObject<HTMLTextAreaElement | null>): void {
  useLayoutEffect(() => {
    const here = field.current;
    if (lastCaret && here) {
      here.focus({ preventScroll: true });
      here.setSelectionRange(lastCaret.start, lastCaret.end);
    }
    lastCaret = undefined;
    return () => {
      if (!here || document.activeElement !== here) return;
      lastCaret = { start: here.selectionStart, end: here.selectionEnd };
      queueMicrotask(() => (lastCaret = undefined));
    };
  }, [field]);
}
