import { useCallback } from "react";
import { useProjectId } from "../live/live-context.tsx";
import { useCopyProject } from "../project/use-copy-project.ts";

/** Makes a new project of this one as it stood at a checkpoint, and opens it. */
export function useFork(): (checkpoint?: string) => Promise<void> {
  const project = useProjectId();
  const copy = useCopyProject();
  return useCallback((checkpoint) => copy(project, checkpoint), [copy, project]);
}
