import { useEffect } from "react";
import { useLiveState, useProjectId } from "../live/live-context.tsx";
import { clearSearchTarget, useSearchTarget } from "../project/search-target-store.ts";
import { useWork } from "../project/work-store.ts";

/** Opens the file of a search result's line, once the project has loaded. */
export function useSearchTargetLine(): void {
  const project = useProjectId();
  const loaded = useLiveState((state) => state.loaded);
  const target = useSearchTarget((state) => state.target);
  useEffect(() => {
    if (!loaded || target?.project !== project || !("path" in target)) return;
    clearSearchTarget();
    useWork.getState().openFile(target.path, { line: target.line, column: 1 });
  }, [loaded, target, project]);
}
