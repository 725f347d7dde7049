import type { Finding } from "@treadle/protocol";
import { NEW_VALUE, type PageStep } from "@treadle/protocol/checks";
import { CHECKS_AT_ONCE, type CheckPlaces, type PlacedTry, type RunCheck } from "./check-places.ts";
import type { CopiedApp } from "../looks/copied-app.ts";
import { drain } from "../in-parallel.ts";
import type { Observation } from "../observation.ts";
import { mayOnlySay, onlySays } from "./only-message.ts";
import { isPrepared, isUntold, otherTyped, otherValues, type OtherValues } from "./other-values.ts";
import { passedBefore } from "./passed-before.ts";
import type { RevisionBefore } from "../looks/revision-before.ts";
import { wholeWord, wordsOf } from "./typed-texts.ts";
import { hasDatabase, lastingSteps, lostByRestart, lostTexts } from "./what-lasts.ts";

/** How many checks are repeated with other values; each takes as long as its first run. */
const TRIED_AGAIN = 3;
/** Milliseconds for all repetitions; the results of those that have not run by then are unknown. */
const WHOLE_MS = 30_000;
/** For how many checks lost data is reported: a larger number has a single cause. */
const LOST_NAMED = 6;

/**
 * Examines what passed checks prove beyond their pass: whether they hold for other values, whether they passed before the turn,
 * and whether the data that they added survives a reload and a restart of the server. Writes the results into their reports.
 * Rejects with the signal's reason only.
 */
export async function proveFurther(
  runs: readonly RunCheck[],
  places: CheckPlaces,
  observation: Observation,
  { app, before }: { app: CopiedApp; before: RevisionBefore | undefined },
): Promise<void> {
  const { signal } = observation;
  const ends = AbortSignal.any([signal, AbortSignal.timeout(WHOLE_MS)]);
  await noteLost(runs, app, observation);
  // The result of a repetition that is out of time, or has no copy, is unknown.
  const bounded = (act: () => Promise<void>) => () =>
    act().catch(() => void signal.throwIfAborted());
  const line: (() => Promise<void>)[] = [];
  const others = runs.filter(({ check }) => otherValues(check) !== undefined).slice(0, TRIED_AGAIN);
  const isLasting = ({ tried }: RunCheck) =>
    tried?.wrote === true && (tried.used?.stayed ?? []).length > 0;
  const lasting = others.find(isLasting) ?? runs.find(isLasting);
  /** The server is restarted after one check only, because the result holds for the whole app. */
  const restart = async (run: RunCheck): Promise<boolean> => {
    const { check } = run;
    const how = { signal: ends, stays: lastingSteps(check) };
    const other = otherValues(check)?.check ?? check;
    const outcome = await lostByRestart(places, check, other, how);
    for (const finding of outcome ?? []) observation.finding(finding);
    return outcome !== undefined;
  };
  if (before) line.push(bounded(() => tryBefore(runs, app, { ...before, signal: ends })));
  if (lasting && !others.includes(lasting))
    line.push(bounded(async () => void (await restart(lasting))));
  for (const run of others)
    line.push(
      bounded(async () => {
        // A check that already held with the other values need not be repeated with them.
        if (run !== lasting || !(await restart(run))) await tryOthers(run, places, ends);
      }),
    );
  for (const run of runs)
    if (mayOnlySay(run.check) && run.tried && onlySays(run.tried))
      line.push(bounded(() => tryMessage(run, places, ends)));
  await drain(line, CHECKS_AT_ONCE);
}

/** A check that only sees a message proves something if the page shows another message for another value. */
async function tryMessage({ check, report }: RunCheck, places: CheckPlaces, signal: AbortSignal) {
  const others = otherTyped(check);
  for (const other of others)
    if (!onlySays(await places.try(other, { signal, outlineBefore: true }))) return;
  if (others.length === 2) report.provesNothing ??= "only-message";
}

/** Reports data of the checks that a reload lost, and data that never reached the app's database. */
async function noteLost(
  runs: readonly RunCheck[],
  app: CopiedApp,
  { finding }: Observation,
): Promise<void> {
  const isAdded = ({ tried }: RunCheck) => (tried?.used?.stayed ?? tried?.used?.gone) !== undefined;
  const added = runs.filter(isAdded);
  if (added.length === 0) return;
  const isKept = await hasDatabase(app.first.workspace).catch(() => false);
  const lost = added.flatMap(({ check, tried, report }): Finding[] => {
    const isWritten = tried?.isDataWritten;
    const database = isKept && isWritten !== undefined ? { isWritten } : undefined;
    const found = lostTexts(check, tried!, database);
    if (keepsNothing(tried!, found)) report.provesNothing ??= "not-kept";
    return found;
  });
  for (const one of lost.slice(0, LOST_NAMED)) finding(one);
}

/**
 * Whether the app sent its server what the check typed, showed it, and stored it nowhere. A page may briefly show what
 * it does not store, but what it sends to its server is meant to be stored there. A server without a database may only
 * compute answers: that is no fault, unless its answers contain nothing of the typed text, or the page asks the same
 * address for its content.
 */
function keepsNothing({ used, isDataWritten }: PlacedTry, lost: readonly Finding[]): boolean {
  const { changed } = used ?? {};
  if (changed === undefined) return false;
  return lost.some(
    ({ code, subject }) =>
      code === "gone-after-reload" &&
      (lost.some((one) => one.code === "never-written" && one.subject === subject) ||
        (isDataWritten === false && (changed.isReadBack || !tells(changed.answers, subject)))),
  );
}

/** Whether an answer contains a typed text, ignoring the part that was generated for this run. */
const tells = (answer: string, typed: string): boolean =>
  typed.split(NEW_VALUE).every((piece) => answer.includes(piece));

/** Runs the checks on the revision before the turn: those that also pass there prove nothing about the turn. */
async function tryBefore(
  runs: readonly RunCheck[],
  { first }: CopiedApp,
  before: RevisionBefore,
): Promise<void> {
  const written = runs.filter(({ report }) => report.isNew);
  if (written.length === 0) return;
  const checks = written.map(({ check }) => check);
  const { passed, untried, why } = await passedBefore(checks, first, before);
  for (const { check, report } of written) {
    if (untried.has(check)) report.beforeUntried = why;
    if (!passed.has(check)) continue;
    // An older check that was repaired guards earlier behaviour. It is not claimed to show anything new.
    if (report.rewritten) delete report.isNew;
    else report.provesNothing = "passed-before";
  }
}

/** Whether a check fails with another value on every attempt, without an answer specific to that value. */
async function tryOthers(
  { check, report, tried }: RunCheck,
  places: CheckPlaces,
  signal: AbortSignal,
) {
  const other = otherValues(check);
  if (!other || !tried?.used) return;
  let failed: PageStep | undefined;
  for (let tries = 0; tries < 2; tries++) {
    const { state, steps, used } = await places.try(other.check, {
      signal,
      outlineBefore: true,
      isNew: tries > 0,
    });
    failed = check.steps[steps.length - 1];
    if (state !== "failed" || !used || !failed || valueIn(failed, other) === undefined) return;
    const outcome = { before: used.outlineBefore ?? "", after: used.outline };
    if (isUntold(check.steps, steps.length - 1)) continue;
    if (failed.do === "expect_body" || !isPrepared(tried.used.outline, outcome, other.values))
      return;
  }
  if (!failed || report.provesNothing) return;
  report.provesNothing = "one-value";
  report.holdsOnlyFor = valueIn(failed, other);
}

/** The value of a step that was replaced by another one. */
const valueIn = (step: PageStep, { values }: OtherValues): string | undefined =>
  [...values.keys()].find((value) => wordsOf(step).some((words) => wholeWord(value).test(words)));
