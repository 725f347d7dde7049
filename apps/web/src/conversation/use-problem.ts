import { useState } from "react";
import { useLiveState } from "../live/live-context.tsx";
import { draftText } from "../ui/use-draft.ts";

/**
 * Why the text could not be sent or used. Cleared when the text changes for any reason, and when the connection returns,
 * because the problem may have been the connection.
 */
export function useProblem(project: string, text: string) {
  const live = useLiveState((state) => state.connection === "live");
  const [failed, setFailed] = useState<{ problem: string; draft: string; live: boolean }>();
  if (failed && live !== failed.live) setFailed(live ? undefined : { ...failed, live });
  const setProblem = (problem: string | undefined) =>
    setFailed(problem === undefined ? undefined : { problem, draft: draftText(project), live });
  return [failed?.draft === text ? failed.problem : undefined, setProblem] as const;
}
