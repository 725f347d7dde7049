import { useCallback, useEffect, useRef, useState, type RefObject } from "react";

/** A reader this close to the end, in pixels, is at the end. */
const NEAR = 32;

/** Keeps the end in sight while the reader is there, and never moves a reader who is not. */
export function useFollowEnd(): {
  outer: RefObject<HTMLDivElement | null>;
  inner: RefObject<HTMLDivElement | null>;
  atEnd: boolean;
  toEnd: () => void;
  /** The reader is taken elsewhere. */
  leaveEnd: () => void;
} {
  const outer = useRef<HTMLDivElement>(null);
  const inner = useRef<HTMLDivElement>(null);
  const following = useRef(true);
  const [atEnd, setAtEnd] = useState(true);

  const follow = useCallback((is: boolean) => {
    following.current = is;
    // The browser holds what is read in its place while others come and go above it; whoever is at the end stays there.
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
    /** What is in it became other since the place was noted. */
    let changed = false;
    const note = () => {
      before = box.scrollTop;
      changed = false;
    };
    const onScroll = () => {
      const near = box.scrollHeight - box.scrollTop - box.clientHeight < NEAR;
      // Content that comes moves the end away, and what goes away above moves the place, without anybody scrolling: only
      // going up in what stands still stops the following.
      if (near) follow(true);
      else if (box.scrollTop < before - 1 && !changed) follow(false);
      else if (following.current) box.scrollTop = box.scrollHeight;
      note();
      setAtEnd(near || following.current);
    };
    /** What the reader opened just now. */
    let opened: Element | undefined;
    // What is opened grows downwards from where it is read: following the end would throw it off the screen.
    const onClick = ({ target }: MouseEvent) => {
      const opener = (target as Element).closest("[aria-expanded], summary");
      if (!opener || !content.contains(opener)) return;
      follow(false);
      opened = opener;
      // What opened nothing, or was closed, leaves the reader at the end.
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
      // As much of it as there is room for, and its own line always.
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
