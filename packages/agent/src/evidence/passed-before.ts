import type { BeforeUntried } from "@treadle/protocol";
import { beginningOf } from "@treadle/protocol/checks";
import type { Check } from "../checks/parse-checks.ts";
import type { DataCopy } from "../ports/data-copies.ts";
import { withRevisionBefore, type RevisionBefore, type ServedBefore } from "./revision-before.ts";
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

/** The day that a check takes it to be as it begins; none: today. */
const dayOf = ({ steps }: Check): string => beginningOf(steps).date?.toISOString() ?? "";

/**
 * Runs checks on the revision before the turn: one that passes there as well proves nothing of the turn. Each meets the data
 * that the checks of the turn's own revision meet, and the same day.
 */
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
  /** Tries those that a served revision is fit for, one after the other: until one leaves something behind for the next. */
  const tryIn = async ({ browser: { use }, port, isTouched }: ServedBefore, day: string) => {
    for (const check of untried) {
      if (dayOf(check) !== day) continue;
      if (!use) return;
      const { state } = await tryCheck(async () => ({ use, port }), check, {
        signal: ends,
        expectMs: EXPECT_MS,
      });
      untried.delete(check);
      if (state === "held") passed.add(check);
      if (await isTouched()) return;
    }
  };
  try {
    for (let left = Infinity; untried.size > 0 && untried.size < left && why === undefined;) {
      left = untried.size;
      const [next] = untried as Set<Check>;
      const { date } = beginningOf(next!.steps);
      let isServed = false;
      why = await withRevisionBefore(now, { ...before, date, signal: ends }, async (served) => {
        isServed = true;
        await tryIn(served, dayOf(next!));
      });
      // Where nothing was served before the turn, nothing passed there.
      if (!isServed && why === undefined) untried.clear();
    }
  } catch {
    // What could not be tried there is not known to have passed.
    signal.throwIfAborted();
  }
  return { passed, untried, why: why ?? (late.aborted ? "no-time" : "not-served") };
}
