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
    const observer = new ResizeObserver(() => {
      if (following.current) box.scrollTop = box.scrollHeight;
    });
    box.addEventListener("scroll", onScroll, { passive: true });
    observer.observe(content);
    observer.observe(box);
    return () => {
      box.removeEventListener("scroll", onScroll);
      observer.disconnect();
    };
  }, []);

  return { outer, inner, atEnd, toEnd };
}
