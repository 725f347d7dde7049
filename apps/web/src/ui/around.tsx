import type { ReactNode } from "react";

/** Placeholder for the element in a sentence. */
export const SLOT = "{}";

/** A sentence that contains an element, in the position required by its language. */
export function Around({ text, children }: { text: string; children: ReactNode }) {
  const [before, after = ""] = text.split(SLOT, 2);
  return (
    <>
      {before}
      {children}
      {after}
    </>
  );
}
