import { useEffect } from "react";

/** Restores the focus when the component unmounts, unless something else has taken it. */
export function useFocusBack(): void {
  useEffect(() => {
    const before = document.activeElement;
    return () => {
      if (document.activeElement === document.body && before instanceof HTMLElement)
        before.focus({ preventScroll: true });
    };
  }, []);
}
