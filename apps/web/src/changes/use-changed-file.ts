import { useQuery, type QueryClient } from "@tanstack/react-query";
import type { ProjectPath } from "@treadle/protocol";
import { useEffect, useState } from "react";
import { readChangedFile, type ChangedFile, type Span } from "../api/changes.ts";
import type { ColouredPiece } from "../files/highlight.ts";
import { nameOf } from "../files/name-of.ts";
import { useProjectId, useView } from "../live/live-context.tsx";
import { linesOfPieces } from "./line-pieces.ts";

/** Maximum characters of a text that is coloured; longer ones are plain. */
const MAX_COLOURED_CHARS = 300_000;

const fileKey = (project: string, { from, to }: Span, path: ProjectPath) =>
  ["changed-file", project, path, from, to] as const;

/** One file at both ends of a span, read again whenever it is written. */
export function useChangedFile(span: Span, path: ProjectPath) {
  const project = useProjectId();
  const seq = useView((view) => view.changes.get(path)?.seq ?? 0);
  return useQuery({
    queryKey: [...fileKey(project, span, path), seq],
    queryFn: ({ signal }) => readChangedFile(project, span, path, signal),
    placeholderData: (before) => before,
  });
}

/** Fetches what `useChangedFile` returns, for a file that is not open yet. */
export const fetchChangedFile = (
  client: QueryClient,
  project: string,
  span: Span,
  path: ProjectPath,
): Promise<ChangedFile> =>
  client.fetchQuery({
    queryKey: [...fileKey(project, span, path), "now"],
    queryFn: ({ signal }) => readChangedFile(project, span, path, signal),
    staleTime: 0,
  });

/** A text in the editor's colours, line by line, once loaded; undefined if its language is unknown. */
export function useColouredLines(path: ProjectPath, text: string | undefined) {
  const [coloured, setColoured] = useState<{ text: string; lines: ColouredPiece[][] }>();
  useEffect(() => {
    if (text === undefined || text.length > MAX_COLOURED_CHARS) return;
    let stopped = false;
    const ending = nameOf(path).split(".").at(-1) ?? "";
    void import("../files/highlight.ts")
      .then(({ highlight }) => highlight(text, ending))
      .then((pieces) => {
        if (pieces && !stopped) setColoured({ text, lines: linesOfPieces(pieces) });
      })
      // The text is readable without colours.
      .catch(() => undefined);
    return () => void (stopped = true);
  }, [path, text]);
  return coloured?.text === text ? coloured?.lines : undefined;
}
