import { useCallback, useEffect, useRef, useState, type RefObject } from "react";

/** A reader this close to the end, in pixels, is at the end. */
const NEAR = 32;

/** Keeps the end in sight while the reader is there, and never moves a reader who is not. */
export function useFollowEnd(): {
  outer: RefObject<HTMLDivElement | null>;
  inner: RefObject<HTMLDivElement | null>;
  atEnd: boolean;
  toEnd: () => void;
} {
  const outer = useRef<HTMLDivElement>(null);
  const inner = useRef<HTMLDivElement>(null);
  const following = useRef(true);
  const [atEnd, setAtEnd] = useState(true);

  const toEnd = useCallback(() => {
    following.current = true;
    setAtEnd(true);
    const box = outer.current;
    if (box) box.scrollTop = box.scrollHeight;
  }, []);

  useEffect(() => {
    const box = outer.current;
    const content = inner.current;
    if (!box || !content) return;
    let before = box.scrollTop;
    const onScroll = () => {
      const near = box.scrollHeight - box.scrollTop - box.clientHeight < NEAR;
      // Content that grows moves the end away without anybody scrolling: only going up stops the following.
      if (near) following.current = true;
      else if (box.scrollTop < before - 1) following.current = false;
      before = box.scrollTop;
      setAtEnd(near || following.current);
    };
    /** What the reader opened just now. */
    let opened: Element | undefined;
    // What is opened grows downwards from where it is read: following the end would throw it off the screen.
    const onClick = ({ target }: MouseEvent) => {
      const opener = (target as Element).closest("[aria-expanded], summary");
      if (!opener || !content.contains(opener)) return;
      following.current = false;
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
      if (!opened) return;
      const whole = opened.closest("details, [data-opens]") ?? opened;
      const sight = box.getBoundingClientRect();
      // As much of it as there is room for, and its own line always.
      const below = whole.getBoundingClientRect().bottom - sight.bottom;
      const above = opened.getBoundingClientRect().top - sight.top;
      opened = undefined;
      if (below > 0) box.scrollTop += Math.max(0, Math.min(below, above));
      onScroll();
    });
    content.addEventListener("click", onClick, { capture: true });
    box.addEventListener("scroll", onScroll, { passive: true });
    observer.observe(content);
    observer.observe(box);
    return () => {
      content.removeEventListener("click", onClick, { capture: true });
      box.removeEventListener("scroll", onScroll);
      observer.disconnect();
    };
  }, []);

  return { outer, inner, atEnd, toEnd };
}
