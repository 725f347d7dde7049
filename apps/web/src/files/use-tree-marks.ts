import { useQuery } from "@tanstack/react-query";
import type { ProjectPath } from "@treadle/protocol";
import { useMemo } from "react";
import { readChanges } from "../api/projects.ts";
import { lastTurnStart, openTurn } from "../fold/select.ts";
import { useProjectId, useView } from "../live/live-context.tsx";

/** What became of a file that is still there. */
export type TreeMark = "added" | "changed";

/** What became of files since before the turn that goes on, or the last that changed anything, by their paths. */
export function useTreeMarks(): ReadonlyMap<ProjectPath, TreeMark> {
  const project = useProjectId();
  const from = useView((view) => openTurn(view)?.before ?? lastTurnStart(view));
  const filesSeq = useView((view) => view.filesSeq);
  const { data } = useQuery({
    // Asked for in the same words as the list of changes.
    queryKey: ["changes", project, from, undefined, filesSeq],
    queryFn: ({ signal }) => readChanges(project, from ?? "", undefined, signal),
    enabled: from !== undefined,
    // Marks of a moment ago are better than none while the next are fetched.
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
