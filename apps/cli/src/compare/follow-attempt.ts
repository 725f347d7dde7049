import type { LogEntry, Question } from "@treadle/protocol";
import { createLogFold } from "@treadle/protocol/fold";
import type { Treadle } from "@treadle/server";
import { createProgress, type Progress } from "../screen/progress.ts";

/** An active attempt. */
export interface FollowedAttempt {
  readonly progress: Progress;
  /** In milliseconds, as `Date.now`. */
  readonly since: number;
  close(): void;
}

/**
 * Follows the log of an attempt's project from its own turn on, skipping what was copied from the original project.
 * @param listener.question called with a question that the attempt waits for
 */
export function followAttempt(
  projects: Treadle["projects"],
  project: string,
  listener: { entry(entry: LogEntry): void; question(question: Question): void },
): FollowedAttempt {
  const progress = createProgress();
  const log = createLogFold();
  let isOwn = false;
  const close = projects.follow(project, 0, (entries) => {
    for (const entry of entries) {
      const { event, at } = entry;
      log.add(event, at);
      if (isOwn) {
        progress.add(entry);
        listener.entry(entry);
        const question = log.state.suspended?.question;
        if (event.type === "suspended" && question) listener.question(question);
      }
      isOwn ||= event.type === "project-forked";
    }
  });
  return { progress, since: Date.now(), close };
}
