import { useQuery } from "@tanstack/react-query";
import { useRef } from "react";
import { readAppLog } from "../api/publication.ts";

/** How often it is asked for more, in milliseconds. */
const POLL_MS = 1_500;
/** Characters that are shown; all that is kept can be saved. */
const SHOWN = 100_000;

/** The end of what the app of a release printed, as it comes; undefined until it was read. */
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
      // Where it does not go on, it is another log: the server was started anew.
      const joined = before && begin === before.end ? before.text + text : text;
      known.current = { end, text: joined.slice(-SHOWN) };
      return known.current.text;
    },
  });
  return data;
}
