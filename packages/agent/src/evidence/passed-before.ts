import type { Check } from "../checks/parse-checks.ts";
import type { DataCopy } from "../ports/data-copies.ts";
import { withRevisionBefore, type RevisionBefore } from "./revision-before.ts";
import { tryCheck } from "./try-check.ts";

/** Milliseconds for all checks on the revision before the turn; what is not tried by then is not known to have passed. */
const WHOLE_MS = 20_000;
/** Milliseconds that something expected is given to come: on a revision without the feature most of it never does. */
const EXPECT_MS = 1_200;

/**
 * Runs checks on the revision before the turn: one that passes there as well proves nothing of the turn.
 * @returns those that are known to have passed; none where that revision cannot be tried
 */
export async function passedBefore(
  checks: readonly Check[],
  now: Pick<DataCopy, "workspace">,
  { signal, ...before }: RevisionBefore,
): Promise<ReadonlySet<Check>> {
  const passed = new Set<Check>();
  const ends = AbortSignal.any([signal, AbortSignal.timeout(WHOLE_MS)]);
  try {
    await withRevisionBefore(now, { ...before, signal: ends }, async ({ browser, port }) => {
      const { use } = browser;
      if (!use) return;
      for (const check of checks) {
        const { state } = await tryCheck(async () => ({ use, port }), check, {
          signal: ends,
          expectMs: EXPECT_MS,
        });
        if (state === "held") passed.add(check);
      }
    });
  } catch {
    // What could not be tried there is not known to have passed.
    signal.throwIfAborted();
  }
  return passed;
}
