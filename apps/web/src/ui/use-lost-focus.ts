import { useEffect, useEffectEvent, type RefObject } from "react";

/**
 * When the focused element is removed (an answered question, a pressed button), moves the focus to `next`. A button that
 * was only disabled for a while gets it back.
 * @param within the element that is observed
 * @param onFocus called with the focused element as soon as it has the focus
 */
export function useLostFocus(
  within: RefObject<HTMLElement | null>,
  next: () => HTMLElement | null | undefined,
  onFocus?: (target: HTMLElement) => void,
): void {
  const askNext = useEffectEvent(next);
  const notify = useEffectEvent((target: HTMLElement) => onFocus?.(target));

  useEffect(() => {
    const here = within.current;
    if (!here) return;
    let last: HTMLElement | undefined;
    const stop = new AbortController();
    const { signal } = stop;
    const on = (what: "focusin" | "focusout", act: (target: HTMLElement) => void) =>
      here.addEventListener(what, (event) => act(event.target as HTMLElement), { signal });
    on("focusin", (target) => {
      last = target;
      notify(target);
    });
    // An element that still exists one frame later was left on purpose; a removed one sends its event before it is removed.
    on("focusout", (target) =>
      requestAnimationFrame(() => {
        const isStillThere = target.isConnected && !target.matches(":disabled");
        if (isStillThere && last === target && document.activeElement !== target) last = undefined;
      }),
    );
    const changed = () => {
      if (!last || document.activeElement !== document.body) return;
      if (!last.isConnected) askNext()?.focus({ preventScroll: true });
      else if (!last.matches(":disabled")) last.focus({ preventScroll: true });
    };
    const watch = new MutationObserver(changed);
    const attributeFilter = ["disabled"];
    watch.observe(here, { childList: true, subtree: true, attributes: true, attributeFilter });
    return () => {
      stop.abort();
      watch.disconnect();
    };
  }, [within]);
}
