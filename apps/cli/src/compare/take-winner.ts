import type { Evidence } from "@treadle/protocol";
import { askToGoOn } from "../terminal/ask-person.ts";
import type { RunPlace } from "../run/prepare-run.ts";

/**
 * Applies an attempt to the folder, removes the others, and waits for the check of the folder that follows.
 * @returns undefined if files were changed in both and the person made no choice; nothing was written then
 */
export async function takeWinner(
  { treadle, project, isThere, terminal, notice }: RunPlace,
  comparison: string,
  number: number,
): Promise<{ evidence: Evidence | undefined } | undefined> {
  const { comparisons, projects } = treadle;
  const after = await projects.head(project);
  try {
    await comparisons.keepAttempt(comparison, number, false);
  } catch (error) {
    if (!isChanged(error)) throw error;
    notice(error.message);
    if (!isThere || !(await askToGoOn("You can take the attempt's all the same.", terminal))) {
      notice("It stays beside the folder until the next comparison here begins.");
      return undefined;
    }
    await comparisons.keepAttempt(comparison, number, true);
  }
  return { evidence: await seenSince(projects, project, after) };
}

const isChanged = (error: unknown): error is Error =>
  error instanceof Error && "code" in error && error.code === "changed";

/** The evidence of the check that starts when an attempt is applied. A signal ends the wait. */
function seenSince(
  projects: RunPlace["treadle"]["projects"],
  project: string,
  after: number,
): Promise<Evidence | undefined> {
  return new Promise((resolve) => {
    let seen: Evidence | undefined;
    let isLooking = false;
    const done = () => {
      unfollow();
      process.off("SIGINT", done).off("SIGTERM", done);
      resolve(seen);
    };
    const unfollow = projects.follow(project, after, (entries) => {
      for (const { event } of entries) {
        isLooking ||= event.type === "look-start";
        if (isLooking && event.type === "evidence") seen = event.evidence;
        if (isLooking && event.type === "look-end") done();
      }
    });
    process.once("SIGINT", done).once("SIGTERM", done);
  });
}
