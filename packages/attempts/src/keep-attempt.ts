import { sentence } from "@treadle/protocol/sentences";
import { ApiFailure } from "@treadle/common";
import { bringBack, type CopyAsDone } from "./bring-back.ts";
import type { AttemptParts } from "./ports.ts";

/** Maximum number of files named in a failure. */
const MAX_NAMED = 3;

/**
 * Merges the chosen attempt into the project from which it was copied, and checks the project,
 * which has its own hosts and secrets.
 * @param isOver whether conflicting files become the attempt's
 * @throws ApiFailure 409 `working`; `changed` for conflicts, in which case nothing is written
 */
export async function keepAttempt(
  parts: Pick<AttemptParts, "store" | "projects">,
  project: string,
  attempt: Omit<CopyAsDone, "tip">,
  isOver: boolean,
): Promise<void> {
  const { projects } = parts;
  const winner = await projects.get(attempt.project);
  const tip = await winner.keepNow("As it was kept");
  await bringBack(
    parts,
    project,
    { ...attempt, tip },
    {
      before: "Before an attempt was kept",
      isOver,
      onPlan({ conflicts }) {
        if (conflicts.length > 0) throw changedInBoth(conflicts);
      },
    },
  );
  (await projects.get(project)).check({ asked: false });
}

function changedInBoth(paths: readonly string[]): ApiFailure {
  const more = paths.length - MAX_NAMED;
  const named = paths.slice(0, MAX_NAMED).join(", ") + (more > 0 ? ` and ${more} more` : "");
  return new ApiFailure(409, "changed", sentence("attempt-conflict", { files: named }));
}
