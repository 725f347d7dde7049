import type { CheckReport } from "@treadle/protocol";
import { isDemand, isExpectation, lacksStep, type PageStep } from "@treadle/protocol/checks";
import { isSameCheck } from "@treadle/protocol/evidence";
import { stableJson } from "../text/stable-json.ts";
import type { Check, Checks } from "./parse-checks.ts";

/** Maximum number of checks that are remembered; the newest ones beyond it are not. */
const REMEMBERED = 60;

/** A check that applies, even if the file has changed it since. */
export interface CountedCheck extends Check {
  /** The run that wrote it. Absent if that was before, or if the person wrote it. */
  run?: string;
  /** Who removed it from the file, or changed it there, without the person's agreement. */
  by?: "model" | "outside";
  /** The run whose model changed it so, when it had passed until then: a later one may still name it. */
  changedIn?: string;
  /** Whether it is older than this run, which has rewritten it. */
  rewritten?: true;
  /** Whether it has passed at least once. */
  held?: true;
}

/** The checks that apply: those that the person last agreed to, and all that were found since. */
export interface CountedChecks {
  /** Whether these checks run only on request. */
  byHand: boolean;
  checks: CountedCheck[];
}

/** Stores the applying checks from turn to turn. */
export interface ChecksStore {
  /** Returns the checks that count; undefined if none are recorded yet, so that those in the file apply. */
  read(): CountedChecks | undefined;
  /** @param version the file's version; empty if there is none */
  save(counted: CountedChecks, version: string): void;
}

export interface ChecksOccasion {
  /** The active run; absent outside one. */
  run?: string;
  /** The author of a change that has not been announced yet. */
  by: "model" | "outside";
  /** Whether somebody requested the checks; then those that run only on request are run, too. */
  asked?: boolean;
  /** The checks that failed in this run, if the project was verified before it; the model may rewrite all others. */
  failed?: ReadonlySet<string>;
  /** The names of the checks by which the model proves what the person asked for in this turn. */
  named?: readonly string[];
}

/** A check that is to be run. */
export interface CheckToRun {
  check: Check;
  was?: NonNullable<CheckReport["was"]>;
  rewritten?: true;
  /** The run wrote it to replace an older check, which applies until the person agrees to the change. */
  isProposed?: true;
}

/** Checks that a user approved in this exact form. */
export const agreedChecks = ({ byHand, checks }: Checks): CountedChecks => ({
  byHand,
  checks: checks.slice(0, REMEMBERED),
});

/**
 * Decides which checks to run, and which apply from then on, as the run that they examine may have changed the file. A
 * check that was removed, changed or switched off runs in its earlier form. A check that the same run wrote and that has never
 * passed may be rewritten or renamed. One that passed by then may change as long as it demands no less.
 *
 * One that passed when the run began and has not failed since may change its other steps, because the way to what it
 * expects often changes. It may expect something else, even after it failed, only if the model names it for something that
 * the person asked for, where they see it: otherwise the opposite of what was asked for earlier would count as proven. The
 * model may name it later, also in a later run.
 */
export function countChecks(
  file: Checks,
  counted: CountedChecks | undefined,
  { run, by, asked = false, failed, named = [] }: ChecksOccasion,
): { list: CheckToRun[]; counted: CountedChecks; byHand: boolean } {
  const seen = (check: Check): CountedCheck => ({ ...check, run: run || undefined });
  // A check with an unreadable line fails as it is. Without that line it would be a check that nobody wrote.
  const isRead = ({ name }: Check) => !file.problems.some((one) => lacksStep(one, name));
  if (!counted)
    return {
      list: file.checks.map((check) => ({ check })),
      counted: { byHand: file.byHand, checks: file.checks.filter(isRead).map(seen) },
      byHand: file.byHand,
    };
  // If no check existed before, the author of the first ones decides how they are run.
  const byHand = file.byHand && (counted.byHand || counted.checks.length === 0);
  const off = file.byHand && !byHand && !asked;
  const left = new Set(counted.checks);
  const names = new Set(counted.checks.map(({ name }) => name));
  const same = new Map<Check, CountedCheck>();
  for (const check of file.checks) {
    const found = [...left].find((one) => one.name === check.name && isSame(one, check));
    if (!found) continue;
    left.delete(found);
    same.set(check, found);
  }
  /** Whether it passed when the run began. */
  const heldBefore = (former: CountedCheck) =>
    former.by === undefined && (former.run === run || failed !== undefined);
  const hasHeld = (former: CountedCheck) =>
    heldBefore(former) && (former.run === run || failed?.has(former.name) === false);
  const mayRewrite = (former: CountedCheck, check: Check) => {
    if (run === undefined) return false;
    if (former.run === run && !former.rewritten) return asksNoLess(check, former);
    if (by !== "model") return false;
    // What was asked for may take fewer steps to show.
    if (named.some((one) => isSameCheck(one, check.name)))
      return (heldBefore(former) || former.changedIn !== undefined) && check.steps.some(isDemand);
    return hasHeld(former) && asksNoLess(check, former) && keepsExpectations(check, former);
  };
  /** A check that this run wrote and that has not passed: the run may take it back. */
  const isDraft = ({ run: wrote, rewritten, held, by: whose }: CountedCheck) =>
    run !== undefined && wrote === run && !rewritten && !held && whose === undefined;
  const list: CheckToRun[] = [];
  const gone: CheckToRun[] = [];
  const next: CountedCheck[] = [];
  for (const check of file.checks) {
    const known = same.get(check);
    if (known) {
      const { by: before, changedIn: _, ...rest } = known;
      const own = rest.rewritten && rest.run === run ? { rewritten: true as const } : {};
      next.push(off ? { ...rest, by: before ?? by } : rest);
      list.push({ check, ...own, was: off ? { how: "off", by: before ?? by } : undefined });
      continue;
    }
    const former = [...left].find(({ name }) => name === check.name);
    if (!former) {
      if (isRead(check)) next.push(seen(check));
      list.push({ check, was: off ? { how: "off", by } : undefined });
    } else if (!off && isDraft(former)) {
      left.delete(former);
      if (isRead(check)) next.push(seen(check));
      list.push({ check });
    } else if (!off && mayRewrite(former, check)) {
      left.delete(former);
      // A check that the same run wrote does not count as rewritten.
      const isOwn = former.run === run && !former.rewritten;
      next.push({ ...seen(check), ...(!isOwn && { rewritten: true as const }) });
      list.push({ check, rewritten: !isOwn || undefined });
    } else {
      left.delete(former);
      const whose = former.by ?? by;
      const mayBeNamed = by === "model" && run !== undefined && heldBefore(former);
      next.push({ ...former, by: whose, ...(mayBeNamed && { changedIn: run }) });
      const isProposed = run !== undefined && by === "model" && { isProposed: true as const };
      if (!off) list.push({ check, ...isProposed });
      gone.push({ check: former, was: { how: "changed", by: whose } });
    }
  }
  // For each new name in the file, one missing draft counts as renamed.
  let renamed = off ? 0 : file.checks.filter((check) => !names.has(check.name)).length;
  for (const former of left) {
    if (isDraft(former) && renamed-- > 0) continue;
    const whose = former.by ?? by;
    next.push({ ...former, by: whose });
    gone.push({ check: former, was: { how: "removed", by: whose } });
  }
  return {
    list: [...list, ...gone],
    counted: {
      byHand,
      // Older checks have precedence over new ones.
      checks: next
        .toSorted((a, b) => Number(isNew(a, counted)) - Number(isNew(b, counted)))
        .slice(0, REMEMBERED),
    },
    byHand,
  };
}

/** The applying checks, with `held` set for those that passed. @param held names of the checks that passed */
export const withHeld = (counted: CountedChecks, held: ReadonlySet<string>): CountedChecks => ({
  ...counted,
  checks: counted.checks.map((check) => (held.has(check.name) ? { ...check, held: true } : check)),
});

const isNew = (check: Check, { checks }: CountedChecks) =>
  !checks.some(({ name }) => name === check.name);

const isSame = (one: Check, other: Check) => stableJson(one.steps) === stableJson(other.steps);

function keepsExpectations(check: Check, former: Check): boolean {
  const asExpected = (step: PageStep) =>
    stableJson(step.do === "wait" ? { ...step, do: "expect" } : step);
  const expected = new Set(check.steps.filter(isDemand).map(asExpected));
  return former.steps.filter(isExpectation).every((step) => expected.has(asExpected(step)));
}

function asksNoLess(check: Check, former: Check): boolean {
  const demands = ({ steps }: Check) => steps.filter(isDemand).length;
  // A pause demands nothing.
  const length = ({ steps }: Check) => steps.filter((step) => step.do !== "pause").length;
  return length(check) >= length(former) && demands(check) >= demands(former);
}
