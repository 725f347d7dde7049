import type { ProjectStatus } from "@treadle/protocol/fold";
import type { ProjectView } from "../fold/types.ts";

/** What a person who looks elsewhere wants to be told: how a turn ended, or that it waits for an answer. */
export type AwayNews =
  | Extract<ProjectStatus, "waiting" | "verified" | "runs" | "failed" | "unverified">
  | "ended";

/**
 * What happened between two states of a project; undefined if nobody needs to know. A turn that the person stopped, and one
 * that is followed by the next at once, are no news.
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
