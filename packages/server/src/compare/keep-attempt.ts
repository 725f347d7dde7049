import { sentence } from "@treadle/protocol/sentences";
import { ApiFailure } from "@treadle/common";
import { bringBack, type BringBackParts, type CopyAsDone } from "./bring-back.ts";

/** Files that a failure names. */
const MAX_NAMED = 3;

/**
 * Brings an attempt that the person chose back into the project that it was a copy of. Then the project is checked, as it
 * has hosts and secrets of its own.
 * @param isOver files that do not fit together become the attempt's
 * @throws ApiFailure 409 `working`; `changed` if changes of both do not fit together: nothing was written then
 */
export async function keepAttempt(
  parts: BringBackParts,
  project: string,
  attempt: Omit<CopyAsDone, "tip">,
  isOver: boolean,
): Promise<void> {
  const { runtimes } = parts;
  const winner = await runtimes.get(attempt.project);
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
  (await runtimes.get(project)).check({ asked: false });
}

function changedInBoth(paths: readonly string[]): ApiFailure {
  const more = paths.length - MAX_NAMED;
  const named = paths.slice(0, MAX_NAMED).join(", ") + (more > 0 ? ` and ${more} more` : "");
  return new ApiFailure(409, "changed", sentence("attempt-conflict", { files: named }));
}
