import type { ProjectStatus } from "@treadle/protocol/fold";
import type { ProjectView } from "../fold/types.ts";

/** Events that a person in another tab wants to know about: the result of a turn, or a pending question. */
export type AwayNews =
  | Extract<ProjectStatus, "waiting" | "verified" | "runs" | "failed" | "unverified">
  | "ended";

/**
 * The news between two states of a project; undefined if there is none. A turn stopped by the person or followed at once by
 * the next is not news.
 */
export function awayNews(before: ProjectView, after: ProjectView): AwayNews | undefined {
  const asked = after.question?.question.id;
  if (asked !== undefined && asked !== before.question?.question.id) return "waiting";
  if (before.open === undefined || after.open !== undefined) return undefined;
  const end = after.turns[before.open]?.end;
  if (!end || end.outcome === "stopped") return undefined;
  if (end.verdict) return end.verdict;
  return end.outcome === "done" ? "ended" : "failed";
}
