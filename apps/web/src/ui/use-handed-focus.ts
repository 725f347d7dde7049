import { useEffect, useMemo, useRef, type RefObject } from "react";
import { useLostFocus } from "./use-lost-focus.ts";

/** Marks a question's element, which takes the focus before anything else. */
export const QUESTION = "question";

/** Whether the focus is still where it was moved to, and the person has done nothing since. */
export type FocusRests = () => boolean;

/**
 * When the focused element is removed, moves the focus to the next question, or else to the field. On a touch screen, where
 * the field would open a keyboard, moves it to the transcript instead.
 * @param within the element that is observed
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
