import { createContext, useContext, useMemo, useState, type ReactNode } from "react";
import { useFind } from "./find-store.ts";

const LineContext = createContext<{ name?: string; reveal: number }>({ reveal: 0 });

/** A line of the conversation that a search can open and scroll to. */
export function FoundLine({ name, children }: { name: string; children: ReactNode }) {
  const reveal = useFind(({ current }) => {
    if (!current) return 0;
    const isMeant = current.within === name || (current.line === name && current.isHidden);
    return isMeant ? current.serial : 0;
  });
  const value = useMemo(() => ({ name, reveal }), [name, reveal]);
  return <LineContext value={value}>{children}</LineContext>;
}

/**
 * The name of the enclosing `FoundLine`, for `data-line` on the line's root element; undefined outside one.
 * @param onReveal called while rendering when a search shows a match in this line, to unfold it
 */
export function useLineName(onReveal?: () => void): string | undefined {
  const { name, reveal } = useContext(LineContext);
  const [revealed, setRevealed] = useState(0);
  if (reveal > revealed) {
    setRevealed(reveal);
    onReveal?.();
  }
  return name;
}

/** The root of a line that cannot be opened. */
export function FoundBlock({ className, children }: { className: string; children: ReactNode }) {
  return (
    <div data-line={useLineName()} className={className}>
      {children}
    </div>
  );
}
