import { useQuery } from "@tanstack/react-query";
import { useRef } from "react";
import { readAppLog } from "../api/publication.ts";

/** Polling interval, in milliseconds. */
const POLL_MS = 1_500;
/** Maximum characters shown; the complete log can be saved. */
const MAX_LOG_CHARS = 100_000;

/** The end of the live output of a release's app; undefined until it has been read. */
export function useAppLog(project: string, release: number): string | undefined {
  const known = useRef<{ end: number; text: string }>(undefined);
  const { data } = useQuery({
    queryKey: ["publication", project, "log", release],
    refetchInterval: POLL_MS,
    staleTime: 0,
    gcTime: 0,
    async queryFn({ signal }) {
      const before = known.current;
      const { begin, end, text } = await readAppLog(project, release, before?.end, signal);
      // Output that does not continue the earlier one is a new log, because the server restarted.
      const joined = before && begin === before.end ? before.text + text : text;
      known.current = { end, text: joined.slice(-MAX_LOG_CHARS) };
      return known.current.text;
    },
  });
  return data;
}
