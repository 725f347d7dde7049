import type { ProjectState } from "./types.ts";

/**
 * A project's activity according to its log. `running` includes messages whose run is about to
 * begin.
 */
export type LoggedActivity = "running" | "waiting" | "looking" | "idle";

/** Decides whether a project is being worked on; server, page and command line all use this. */
export function activityOf({
  run,
  question,
  inLine,
  look,
}: Pick<ProjectState, "run" | "question" | "inLine" | "look">): LoggedActivity {
  if (run !== undefined) return question ? "waiting" : "running";
  if (inLine.size > 0) return "running";
  return look ? "looking" : "idle";
}

/**
 * Whether a run is active, waits for the person or is about to begin: new messages are queued, and
 * files cannot be restored.
 */
export function isRunning(state: ProjectState): boolean {
  const activity = activityOf(state);
  return activity === "running" || activity === "waiting";
}

/**
 * Whether there is any activity, including looks outside of runs, which may change the evidence.
 */
export const isWorking = (state: ProjectState): boolean => activityOf(state) !== "idle";
