import { useEffect, useEffectEvent, type RefObject } from "react";

/**
 * What has the focus may go away with it (a question that was answered, a button that was pressed): then what is `next` has
 * it. A button that was only switched off for a while has it again.
 * @param within what is watched
 * @param onFocus told of what has the focus, as soon as it has it
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
    // What is there a frame later was left on purpose; what is taken away says so while it is still there.
    on("focusout", (target) =>
      requestAnimationFrame(() => {
        const left = target.isConnected && !target.matches(":disabled");
        if (left && last === target && document.activeElement !== target) last = undefined;
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
