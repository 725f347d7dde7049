import { useEffect, useState, type RefObject } from "react";

export interface FullScreen {
  /** Whether this browser supports it; phones do not. */
  can: boolean;
  on: boolean;
  toggle: () => void;
}

/** Shows one part of the page in full screen. The browser's Escape key leaves it. */
export function useFullScreen(part: RefObject<HTMLElement | null>): FullScreen {
  const [on, setOn] = useState(false);
  useEffect(() => {
    const changed = () => setOn(document.fullscreenElement === part.current);
    document.addEventListener("fullscreenchange", changed);
    return () => document.removeEventListener("fullscreenchange", changed);
  }, [part]);
  return {
    can: document.fullscreenEnabled,
    on,
    toggle() {
      const done = on ? document.exitFullscreen() : part.current?.requestFullscreen();
      // If refused, nothing changes.
      done?.catch(() => undefined);
    },
  };
}
