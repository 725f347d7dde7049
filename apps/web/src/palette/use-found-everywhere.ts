import type { FoundEverywhere } from "@treadle/protocol";
import { useEffect, useState } from "react";
import { searchEverywhere } from "../api/search-everywhere.ts";

/** Delay after the last letter before the search, in milliseconds; longer if projects have to be woken. */
const WAIT_MS = { awake: 250, all: 700 };
/** Matches a single Latin letter, which has too many matches; a single Chinese or Japanese one may be a word. */
const SHORT = /^[\u0000-\u02ff]$/; // oxlint-disable-line no-control-regex -- one letter of the Latin kind

export interface Found {
  found: readonly Exclude<FoundEverywhere, { kind: "end" }>[];
  /** Whether the search is in progress. */
  isSearching: boolean;
  /** Whether there are more results than shown. */
  more: boolean;
}

const NOTHING: Found = { found: [], isSearching: false, more: false };

/** Messages and file lines of all projects that contain a text. Projects are found by name elsewhere. */
export function useFoundEverywhere(text: string, files: "all" | "awake"): Found {
  const query = text.trim();
  const [state, setState] = useState<{ query: string; what: Found }>({ query: "", what: NOTHING });
  useEffect(() => {
    if (query === "" || SHORT.test(query)) return;
    const controller = new AbortController();
    const look = async () => {
      const found: Exclude<FoundEverywhere, { kind: "end" }>[] = [];
      let more = false;
      const update = (isSearching: boolean) =>
        setState({ query, what: { found: [...found], isSearching, more } });
      update(true);
      try {
        for await (const one of searchEverywhere(query, files, controller.signal)) {
          if (one.kind === "end") more = one.more;
          else if (one.kind !== "project") found.push(one);
          update(true);
        }
      } catch {
        // The list works without these results.
        more = true;
      }
      if (!controller.signal.aborted) update(false);
    };
    const timer = setTimeout(() => void look(), WAIT_MS[files]);
    return () => {
      clearTimeout(timer);
      controller.abort();
    };
  }, [query, files]);
  return state.query === query ? state.what : NOTHING;
}
