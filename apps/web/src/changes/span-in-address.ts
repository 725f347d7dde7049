import { useNavigate, useSearch } from "@tanstack/react-router";
import { useEffect } from "react";
import type { Span } from "../api/changes.ts";
import { showChanges } from "../project/changes-store.ts";

/** `from..to`; `from..`: to the files as they are now. Without the dots a number of digits would be read as a number. */
const SPAN = /^([\w-]{1,128})\.\.([\w-]{1,128})?$/;

/** The two checkpoints that an address names (`?changes=from..to`); undefined where it names none. */
export function spanOf(value: unknown): Span | undefined {
  const [, from, to] = (typeof value === "string" && SPAN.exec(value)) || [];
  return from === undefined ? undefined : { from, to };
}

/** Opens Changes on what the address names, once: from then on the page is the person's, and the address is plain. */
export function useSpanInAddress(): void {
  const { changes } = useSearch({ strict: false });
  const navigate = useNavigate();
  useEffect(() => {
    if (changes === undefined) return;
    const span = spanOf(changes);
    if (span) showChanges(span);
    void navigate({
      to: ".",
      search: (before) => ({ ...before, changes: undefined }),
      replace: true,
    });
  }, [changes, navigate]);
}
