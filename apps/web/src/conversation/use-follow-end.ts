import { useCallback, useEffect, useRef, useState, type RefObject } from "react";

/** A reader within this distance of the end, in pixels, counts as being at the end. */
const NEAR_END_PX = 32;

/** Scrolls along with the end while the reader is there, and never moves a reader who is not. */
export function useFollowEnd(): {
  outer: RefObject<HTMLDivElement | null>;
  inner: RefObject<HTMLDivElement | null>;
  atEnd: boolean;
  toEnd: () => void;
  /** Call before scrolling the reader elsewhere. */
  leaveEnd: () => void;
} {
  const outer = useRef<HTMLDivElement>(null);
  const inner = useRef<HTMLDivElement>(null);
  const following = useRef(true);
  const [atEnd, setAtEnd] = useState(true);

  const follow = useCallback((is: boolean) => {
    following.current = is;
    // Scroll anchoring keeps the reading position while content above it changes; it is off for a reader at the end.
    if (outer.current) outer.current.style.overflowAnchor = is ? "none" : "auto";
  }, []);

  const toEnd = useCallback(() => {
    follow(true);
    setAtEnd(true);
    const box = outer.current;
    if (box) box.scrollTop = box.scrollHeight;
  }, [follow]);

  const leaveEnd = useCallback(() => follow(false), [follow]);

  useEffect(() => {
    const box = outer.current;
    const content = inner.current;
    if (!box || !content) return;
    follow(following.current);
    let before = box.scrollTop;
    /** Whether the content has changed since the position was recorded. */
    let changed = false;
    const note = () => {
      before = box.scrollTop;
      changed = false;
    };
    const onScroll = () => {
      const near = box.scrollHeight - box.scrollTop - box.clientHeight < NEAR_END_PX;
      // New content moves the end away, and content removed above moves the position, without anyone scrolling. Only
      // scrolling up in unchanged content stops following.
      if (near) follow(true);
      else if (box.scrollTop < before - 1 && !changed) follow(false);
      else if (following.current) box.scrollTop = box.scrollHeight;
      note();
      setAtEnd(near || following.current);
    };
    /** The element that the reader has just opened. */
    let opened: Element | undefined;
    // An opened element grows downwards; following the end would scroll it off the screen.
    const onClick = ({ target }: MouseEvent) => {
      const opener = (target as Element).closest("[aria-expanded], summary");
      if (!opener || !content.contains(opener)) return;
      follow(false);
      opened = opener;
      // If the click opened nothing, or closed something, the reader stays at the end.
      requestAnimationFrame(() =>
        requestAnimationFrame(() => {
          opened = undefined;
          onScroll();
        }),
      );
    };
    const observer = new ResizeObserver(() => {
      if (following.current) box.scrollTop = box.scrollHeight;
      note();
      if (!opened) return;
      const container = opened.closest("details, [data-opens]") ?? opened;
      const sight = box.getBoundingClientRect();
      // Scrolls until all of the opened part is visible, but never so far that its own line leaves the top.
      const below = container.getBoundingClientRect().bottom - sight.bottom;
      const above = opened.getBoundingClientRect().top - sight.top;
      opened = undefined;
      if (below > 0) box.scrollTop += Math.max(0, Math.min(below, above));
      onScroll();
    });
    const mutations = new MutationObserver(() => (changed = true));
    mutations.observe(content, { childList: true, characterData: true, subtree: true });
    content.addEventListener("click", onClick, { capture: true });
    box.addEventListener("scroll", onScroll, { passive: true });
    observer.observe(content);
    observer.observe(box);
    return () => {
      content.removeEventListener("click", onClick, { capture: true });
      box.removeEventListener("scroll", onScroll);
      observer.disconnect();
      mutations.disconnect();
    };
  }, [follow]);

  return { outer, inner, atEnd, toEnd, leaveEnd };
}
