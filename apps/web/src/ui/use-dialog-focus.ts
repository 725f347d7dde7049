import { useEffect } from "react";

const POPUP = '[role="dialog"], [role="alertdialog"]';

/** The dialog that lies over everything else. */
const topmost = () => [...document.querySelectorAll<HTMLElement>(POPUP)].at(-1);

/**
 * While a dialog is open the focus is in it. A button there that is switched off, as most are while what they began goes on,
 * would leave it to the page behind, where Tab then leads; so would one that is gone. The dialog has it meanwhile, and a button
 * that is switched on again has it back.
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
        // Whoever opened what is gone has it again before, where it is still there.
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
    /** Only a dialog that has the focus is watched, and whether it is there: a page that streams changes all the time. */
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
