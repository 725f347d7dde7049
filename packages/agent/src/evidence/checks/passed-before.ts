import type { BeforeUntried } from "@treadle/protocol";
import { beginningOf } from "@treadle/protocol/checks";
import type { Check } from "../../checks/parse-checks.ts";
import type { DataCopy } from "../../ports/data-copies.ts";
import {
  withRevisionBefore,
  type RevisionBefore,
  type ServedBefore,
} from "../looks/revision-before.ts";
import { tryCheck } from "./try-check.ts";

/** Milliseconds for all checks on the revision before the turn. Checks that have not run by then are not known to have passed. */
const WHOLE_MS = 45_000;
/** Timeout in milliseconds of one expectation. It is short, because most fail on a revision without the feature. */
const EXPECT_MS = 1_200;

/** The results of checks on the revision before the turn. */
export interface BeforeOutcome {
  /** Checks that passed there as well. */
  passed: ReadonlySet<Check>;
  /** Checks that were not run there, with the reason. */
  untried: ReadonlySet<Check>;
  why: BeforeUntried;
}

/** The date at which a check begins; undefined for today. */
const dayOf = ({ steps }: Check): string => beginningOf(steps).date?.toISOString() ?? "";

/**
 * Runs checks on the revision before the turn: a check that passes there as well proves nothing about the turn. Each check
 * runs with the same data and date as on the turn's own revision.
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
  /** Runs the checks that fit the served revision one after another, until one changes the data. */
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
      // If nothing was served before the turn, no check passed there.
      if (!isServed && why === undefined) untried.clear();
    }
  } catch {
    // A check that could not run there is not known to have passed.
    signal.throwIfAborted();
  }
  return { passed, untried, why: why ?? (late.aborted ? "no-time" : "not-served") };
}
