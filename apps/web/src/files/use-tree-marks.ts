import { useQuery } from "@tanstack/react-query";
import type { ProjectPath } from "@treadle/protocol";
import { useMemo } from "react";
import { readChanges } from "../api/projects.ts";
import { lastTurnStart, openTurn } from "../fold/select.ts";
import { useProjectId, useView } from "../live/live-context.tsx";

/** How an existing file changed. */
export type TreeMark = "added" | "changed";

/** The files that changed in the active turn, or else in the last turn that changed anything, by path. */
export function useTreeMarks(): ReadonlyMap<ProjectPath, TreeMark> {
  const project = useProjectId();
  const from = useView((view) => openTurn(view)?.before ?? lastTurnStart(view));
  const filesSeq = useView((view) => view.filesSeq);
  const { data } = useQuery({
    // The same key as the list of changes, so that both share one request.
    queryKey: ["changes", project, from, undefined, filesSeq],
    queryFn: ({ signal }) => readChanges(project, from ?? "", undefined, signal),
    enabled: from !== undefined,
    // Outdated marks are better than none while the next are fetched.
    placeholderData: (before) => before,
  });
  return useMemo(
    () =>
      new Map(
        data?.flatMap(({ path, kind }) => (kind === "removed" ? [] : [[path, kind] as const])),
      ),
    [data],
  );
}
