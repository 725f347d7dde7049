import { useEffect, useMemo, useRef, type RefObject } from "react";

/** Where a question stands in the page: it has the focus before anything else. */
export const QUESTION = "question";

/** Whether the focus rests where it was handed to, and nobody has done anything with it since. */
export type FocusRests = () => boolean;

/**
 * What has the focus may go away with it (a question that was answered, a button that was pressed): then the next
 * question has it, else the field; on a touch screen, where that would bring a keyboard, what was said. A button that was
 * only switched off for a while has it again.
 * @param within what is watched
 */
export function useHandedFocus(
  within: RefObject<HTMLElement | null>,
  field: RefObject<HTMLElement | null>,
  said: RefObject<HTMLElement | null>,
): FocusRests {
  const rests = useRef<HTMLElement>(undefined);

  useEffect(() => {
    const here = within.current;
    if (!here) return;
    let last: HTMLElement | undefined;
    const stop = new AbortController();
    const { signal } = stop;
    const on = (what: keyof HTMLElementEventMap, act: (target: HTMLElement) => void) =>
      here.addEventListener(what, (event) => act(event.target as HTMLElement), { signal });
    on("focusin", (target) => {
      last = target;
      if (rests.current !== target) rests.current = undefined;
    });
    // What is there a frame later was left on purpose; what is taken away says so while it is still there.
    on("focusout", (target) =>
      requestAnimationFrame(() => {
        const left = target.isConnected && !target.matches(":disabled");
        if (left && last === target && document.activeElement !== target) last = undefined;
      }),
    );
    on("keydown", () => (rests.current = undefined));
    on("pointerdown", () => (rests.current = undefined));
    const changed = () => {
      if (!last || document.activeElement !== document.body) return;
      if (last.isConnected) {
        if (!last.matches(":disabled")) last.focus({ preventScroll: true });
        return;
      }
      const touch = matchMedia("(pointer: coarse)").matches;
      const next = document.getElementById(QUESTION) ?? (touch ? said.current : field.current);
      rests.current = next ?? undefined;
      next?.focus({ preventScroll: true });
    };
    const watch = new MutationObserver(changed);
    const attributeFilter = ["disabled"];
    watch.observe(here, { childList: true, subtree: true, attributes: true, attributeFilter });
    return () => {
      stop.abort();
      watch.disconnect();
    };
  }, [within, field, said]);

  return useMemo(
    () => () => rests.current !== undefined && rests.current === document.activeElement,
    [],
  );
}
