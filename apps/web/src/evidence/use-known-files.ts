import type { ProjectPath } from "@treadle/protocol";
import { useMemo } from "react";
import { useFileNames } from "../api/use-file-names.ts";
import { useProjectId, useView } from "../live/live-context.tsx";

/** Paths of the project's files, including those written since the list was fetched. */
export function useKnownFiles(): ReadonlySet<ProjectPath> {
  const names = useFileNames(useProjectId());
  const changes = useView((view) => view.changes);
  return useMemo(() => {
    const known = new Set(names);
    for (const [path, { kind }] of changes)
      if (kind === "written") known.add(path);
      else known.delete(path);
    return known;
  }, [names, changes]);
}
