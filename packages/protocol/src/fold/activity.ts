import type { ProjectState } from "./types.ts";

/** What goes on in a project, as its log says it. `running` includes messages whose run is about to begin. */
export type LoggedActivity = "running" | "waiting" | "looking" | "idle";

/** The one answer to the question whether a project is being worked on; server, page and command line derive theirs from it. */
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

/** Whether a run is active, waits for the person or is about to begin: a new message joins the line, and files are not restored. */
export function isRunning(state: ProjectState): boolean {
  const activity = activityOf(state);
  return activity === "running" || activity === "waiting";
}

/** Whether anything goes on, including an observation outside of runs: what is known of the files may be about to change. */
export const isWorking = (state: ProjectState): boolean => activityOf(state) !== "idle";
