import { useEffect } from "react";
import { useLiveState, useProjectId } from "../live/live-context.tsx";
import { found, useSearchTarget } from "../project/search-target-store.ts";
import { useWork } from "../project/work-store.ts";

/** Opens the file of a search result's line, once the project has loaded. */
export function useSearchTargetLine(): void {
  const project = useProjectId();
  const loaded = useLiveState((state) => state.loaded);
  const sought = useSearchTarget((state) => state.sought);
  useEffect(() => {
    if (!loaded || sought?.project !== project || !("path" in sought)) return;
    found();
    useWork.getState().openFile(sought.path, { line: sought.line, column: 1 });
  }, [loaded, sought, project]);
}
