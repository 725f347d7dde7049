import { useLayoutEffect, type RefObject } from "react";

/** The caret's position in a field that is being unmounted. */
let left: { start: number; end: number } | undefined;

/**
 * Keeps the focus and the caret when another layout moves a field: a phone is rotated, or a window becomes narrow. Both
 * fields change in one commit; a field mounted later is not affected.
 */
export function useCaretOverLayouts(field: RefObject<HTMLTextAreaElement | null>): void {
  useLayoutEffect(() => {
    const here = field.current;
    if (left && here) {
      here.focus({ preventScroll: true });
      here.setSelectionRange(left.start, left.end);
    }
    left = undefined;
    return () => {
      if (!here || document.activeElement !== here) return;
      left = { start: here.selectionStart, end: here.selectionEnd };
      queueMicrotask(() => (left = undefined));
    };
  }, [field]);
}
