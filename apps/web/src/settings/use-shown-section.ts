import { useCallback, useEffect, useState, type RefObject } from "react";
import type { SettingsSection } from "../project/settings-place.ts";

/** A section starting this far below the top edge counts as the current one, in pixels. */
const NEAR_TOP_PX = 80;

/** Scrolls the section to the top edge. */
function scrollToTop(box: HTMLElement | null, id: SettingsSection): void {
  const part = box?.querySelector<HTMLElement>(`[data-section="${id}"]`);
  if (!box || !part) return;
  const { top } = part.getBoundingClientRect();
  box.scrollTo({ top: box.scrollTop + top - box.getBoundingClientRect().top });
}

/**
 * Scrolls the requested section to the top edge and keeps it there while those above it grow, until the person does
 * anything. Returns the current section.
 */
export function useShownSection(
  box: RefObject<HTMLElement | null>,
  section: SettingsSection,
): { current: SettingsSection; show: (id: SettingsSection) => void } {
  const [current, setCurrent] = useState(section);
  const show = useCallback(
    (id: SettingsSection) => {
      scrollToTop(box.current, id);
      setCurrent(id);
    },
    [box],
  );

  useEffect(() => {
    const element = box.current;
    if (!element) return;
    scrollToTop(element, section);
    const stop = new AbortController();
    const { signal } = stop;
    const sizes = new ResizeObserver(() => scrollToTop(element, section));
    for (const part of element.children) sizes.observe(part);
    const settle = () => sizes.disconnect();
    for (const kind of ["wheel", "touchmove", "pointerdown", "keydown"])
      document.addEventListener(kind, settle, { signal, passive: true, capture: true });
    element.addEventListener(
      "scroll",
      () => {
        const { top } = element.getBoundingClientRect();
        const parts = [...element.querySelectorAll<HTMLElement>("[data-section]:not([hidden])")];
        const read = parts.findLast((one) => one.getBoundingClientRect().top - top < NEAR_TOP_PX);
        if (read) setCurrent(read.dataset["section"] as SettingsSection);
      },
      { signal, passive: true },
    );
    return () => {
      stop.abort();
      sizes.disconnect();
    };
  }, [box, section]);
  return { current, show };
}
