import type { BeforeUntried } from "@treadle/protocol";
import type { Check } from "../checks/parse-checks.ts";
import type { DataCopy } from "../ports/data-copies.ts";
import { withRevisionBefore, type RevisionBefore } from "./revision-before.ts";
import { tryCheck } from "./try-check.ts";

/** Milliseconds for all checks on the revision before the turn; what is not tried by then is not known to have passed. */
const WHOLE_MS = 20_000;
/** Milliseconds that something expected is given to come: on a revision without the feature most of it never does. */
const EXPECT_MS = 1_200;

/** What came of checks on the revision before the turn. */
export interface BeforeOutcome {
  /** Those that pass there as well. */
  passed: ReadonlySet<Check>;
  /** Those that were not tried there, and why. */
  untried: ReadonlySet<Check>;
  why: BeforeUntried;
}

/** Runs checks on the revision before the turn: one that passes there as well proves nothing of the turn. */
export async function passedBefore(
  checks: readonly Check[],
  now: Pick<DataCopy, "workspace">,
  { signal, ...before }: RevisionBefore,
): Promise<BeforeOutcome> {
  const passed = new Set<Check>();
  const untried = new Set(checks);
  const late = AbortSignal.timeout(WHOLE_MS);
  const ends = AbortSignal.any([signal, late]);
  let why: BeforeUntried | undefined;
  try {
    why = await withRevisionBefore(now, { ...before, signal: ends }, async ({ browser, port }) => {
      const { use } = browser;
      if (!use) return;
      for (const check of checks) {
        const { state } = await tryCheck(async () => ({ use, port }), check, {
          signal: ends,
          expectMs: EXPECT_MS,
        });
        untried.delete(check);
        if (state === "held") passed.add(check);
      }
    });
    // Where nothing was served before the turn, nothing passed there.
    if (why === undefined) untried.clear();
  } catch {
    // What could not be tried there is not known to have passed.
    signal.throwIfAborted();
  }
  return { passed, untried, why: why ?? (late.aborted ? "no-time" : "not-served") };
}
