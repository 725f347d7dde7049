import { useEffect } from "react";

const POPUP = '[role="dialog"], [role="alertdialog"]';

/** The topmost dialog. */
const topmost = () => [...document.querySelectorAll<HTMLElement>(POPUP)].at(-1);

/**
 * Keeps the focus inside an open dialog. A button that is disabled, as most are while their action runs, or removed would
 * lose the focus to the page behind, where Tab then continues. The dialog takes the focus meanwhile, and an enabled button
 * gets it back.
 */
export function useDialogFocus(): void {
  useEffect(() => {
    let last: HTMLElement | undefined;
    let holder: HTMLElement | undefined;
    let watched: HTMLElement | null = null;
    const stop = new AbortController();
    document.addEventListener(
      "focusin",
      ({ target }) => {
        if (target === holder) return;
        last = target as HTMLElement;
        holder = undefined;
        follow(last.closest<HTMLElement>(POPUP));
      },
      { signal: stop.signal },
    );

    const changed = () => {
      if (!last) return;
      const isOff = last.matches(":disabled");
      const { activeElement, body } = document;
      if (!last.isConnected) {
        last = undefined;
        holder = undefined;
        // The element that opened the removed dialog gets the focus first, if it still exists.
        requestAnimationFrame(() =>
          requestAnimationFrame(() => {
            if (document.activeElement === document.body) topmost()?.focus({ preventScroll: true });
          }),
        );
      } else if (!holder && isOff && (activeElement === last || activeElement === body)) {
        holder = last.closest<HTMLElement>(POPUP) ?? undefined;
        holder?.focus({ preventScroll: true });
      } else if (holder && !isOff) {
        if (activeElement === holder) last.focus({ preventScroll: true });
        holder = undefined;
      }
    };
    const watch = new MutationObserver(changed);
    /** Observes only a dialog that has the focus, and whether it exists; a streaming page changes constantly. */
    function follow(popup: HTMLElement | null) {
      if (popup === watched) return;
      watched = popup;
      watch.disconnect();
      if (!popup) return;
      const attributeFilter = ["disabled"];
      watch.observe(popup, { childList: true, subtree: true, attributes: true, attributeFilter });
      for (let outer = popup.parentElement; outer; outer = outer.parentElement)
        watch.observe(outer, { childList: true });
    }
    return () => {
      stop.abort();
      watch.disconnect();
    };
  }, []);
}
