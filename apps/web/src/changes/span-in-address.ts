import { useNavigate, useSearch } from "@tanstack/react-router";
import { useEffect } from "react";
import type { Span } from "../api/changes.ts";
import { showChanges } from "../project/changes-store.ts";

/** `from..to`, or `from..` for the current files. Without the dots, a name made of digits would be parsed as a number. */
const SPAN = /^([\w-]{1,128})\.\.([\w-]{1,128})?$/;

/** Parses the checkpoints in a URL (`?changes=from..to`); undefined if there are none. */
export function spanOf(value: unknown): Span | undefined {
  const [, from, to] = (typeof value === "string" && SPAN.exec(value)) || [];
  return from === undefined ? undefined : { from, to };
}

/** Opens Changes for the URL's checkpoints once, and then removes them from the URL. */
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
