import { useLayoutEffect, type RefObject } from "react";

/** Where the caret was in a field that is being taken away. */
let left: { start: number; end: number } | undefined;

/**
 * Keeps the focus and the caret in a field that another layout puts in another place: a phone that is turned, a window
 * that becomes narrow. Both happen in one commit; a field that comes later has no part in it.
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
