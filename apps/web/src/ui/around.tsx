import type { ReactNode } from "react";

/** Stands for the element in a sentence. */
export const SLOT = "{}";

/** A sentence with an element in the place that its language has for it. */
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
