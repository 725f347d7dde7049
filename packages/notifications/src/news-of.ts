import type { LogEvent, NotificationEvent, Verdict } from "@treadle/protocol";

/** What a person wants to know who does not look at the page. */
export interface News {
  event: Exclude<NotificationEvent, "test">;
  verdict?: Verdict | undefined;
}

/** The news in an event of a project's log; undefined if there is none. A turn that the person stopped is no news. */
export function newsOf(event: LogEvent): News | undefined {
  if (event.type === "question") return { event: "turn-asks" };
  if (event.type !== "run-end" || event.outcome === "stopped") return undefined;
  const { verdict, outcome } = event;
  const isFailed = outcome !== "done" || verdict === "failed";
  return { event: isFailed ? "turn-failed" : "turn-ended", verdict };
}

/**
 * Whether the event shows that somebody is using the project, or that it continues automatically.
 */
export const makesNewsOld = ({ type }: LogEvent): boolean =>
  type === "run-start" || type === "answer" || type === "message";
