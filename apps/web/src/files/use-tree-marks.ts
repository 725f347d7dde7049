import type { ProjectPath } from "@treadle/protocol";
import { useMemo } from "react";
import { lastTurnStart, openTurn } from "../fold/select.ts";
import { useView } from "../live/live-context.tsx";
import { useChanges } from "../project/use-changes.ts";

/** How an existing file changed. */
export type TreeMark = "added" | "changed";

/** The files that changed in the active turn, or else in the last turn that changed anything, by path. */
export function useTreeMarks(): ReadonlyMap<ProjectPath, TreeMark> {
  const from = useView((view) => openTurn(view)?.before ?? lastTurnStart(view));
  const { data } = useChanges(from === undefined ? undefined : { from });
  return useMemo(
    () =>
      new Map(
        data?.files.flatMap(({ path, kind }) =>
          kind === "removed" ? [] : [[path, kind] as const],
        ),
      ),
    [data],
  );
}
