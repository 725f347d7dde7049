import type { Evidence } from "@treadle/protocol";
import { askToGoOn } from "../ask-person.ts";
import type { RunPlace } from "../prepare-run.ts";

/**
 * Brings an attempt into the folder, removes the others, and waits for what is seen of the folder then.
 * @returns undefined where files were changed in both and nobody said what to do: nothing was written then
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

/** What the look sees that begins when an attempt is kept; a signal ends the waiting. */
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
