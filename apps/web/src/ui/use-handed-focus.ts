import { useEffect, useMemo, useRef, type RefObject } from "react";
import { useLostFocus } from "./use-lost-focus.ts";

/** Where a question stands in the page: it has the focus before anything else. */
export const QUESTION = "question";

/** Whether the focus rests where it was handed to, and nobody has done anything with it since. */
export type FocusRests = () => boolean;

/**
 * Where what has the focus goes away, the next question has it, else the field; on a touch screen, where that would bring a
 * keyboard, what was said.
 * @param within what is watched
 */
export function useHandedFocus(
  within: RefObject<HTMLElement | null>,
  field: RefObject<HTMLElement | null>,
  transcript: RefObject<HTMLElement | null>,
): FocusRests {
  const rests = useRef<HTMLElement>(undefined);
  useLostFocus(
    within,
    () => {
      const touch = matchMedia("(pointer: coarse)").matches;
      const next =
        document.getElementById(QUESTION) ?? (touch ? transcript.current : field.current);
      rests.current = next ?? undefined;
      return next;
    },
    (target) => {
      if (rests.current !== target) rests.current = undefined;
    },
  );
  useEffect(() => {
    const here = within.current;
    const acts = () => (rests.current = undefined);
    here?.addEventListener("keydown", acts);
    here?.addEventListener("pointerdown", acts);
    return () => {
      here?.removeEventListener("keydown", acts);
      here?.removeEventListener("pointerdown", acts);
    };
  }, [within]);

  return useMemo(
    () => () => rests.current !== undefined && rests.current === document.activeElement,
    [],
  );
}
