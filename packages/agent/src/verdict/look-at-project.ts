import type { AskedItem, Evidence, Finding, Verdict } from "@treadle/protocol";
import {
  doesCount,
  isSameCheck,
  isSound,
  untriedEvidence,
  withoutAgreement,
} from "@treadle/protocol/evidence";
import { abortable } from "../async/waiting.ts";
import { withFaults, type Faults } from "../calls/faults.ts";
import type { ChecksStore } from "../checks/which-checks-count.ts";
import { gatherEvidence } from "../evidence/gather-evidence.ts";
import type { Browser } from "../ports/browser.ts";
import type { DataCopies } from "../ports/data-copies.ts";
import type { PicturePort } from "../ports/pictures.ts";
import type { RecordedWork } from "../ports/recorded-work.ts";
import type { RunScope } from "../ports/run-scope.ts";
import type { ProjectInRun } from "../project/project-in-run.ts";
import { stoppedLook } from "./stopped-look.ts";

/** Begins a look that the person can stop; the signal is then aborted. */
export type BeginLook = () => { readonly signal: AbortSignal; end(): void };

/** The ports with which a run observes its project. */
export interface LookPorts {
  readonly browser?: Browser | undefined;
  /** Copies of the app in which it is observed. */
  readonly copies?: DataCopies | undefined;
  /** Stores pictures of the pages: the person is shown them, even if the model sees none. */
  readonly pictures?: PicturePort | undefined;
  /** Begins an observation that the person can stop. Absent: only the run can be stopped. */
  readonly beginLook?: BeginLook | undefined;
  /** Returns recorded evidence in place of an observation. Absent: the project is observed. */
  readonly recorded?: RecordedWork | undefined;
}

/** The parts of a run's request that decide what has to be observed. */
export interface LookRequest {
  /** Names of the checks that failed before the turn: that they hold now is the turn's work. */
  readonly failedBefore?: readonly string[] | undefined;
  /** Findings of the observation before the turn. */
  readonly foundBefore?: readonly Finding[] | undefined;
  /** The verdict of the newest judged revision before the run. */
  readonly lastVerdict?: Verdict | undefined;
  /** Whether the model is informed once about requests that no check covers. */
  readonly thorough?: boolean | undefined;
  /** The requests of the previous turn: a repair adds none. */
  readonly askedBefore?: readonly AskedItem[] | undefined;
  /** Those of `askedBefore` that no check shows yet, in their original wording. */
  readonly openBefore?: readonly string[] | undefined;
  /** Those that the message asks to show by checks. Absent: it asks for no such thing. */
  readonly prove?: readonly string[] | undefined;
  /** Whether the checks that count have changed, so that the project is observed even if nothing else did. */
  readonly look?: boolean | undefined;
}

/** How a run observes its project, and what it has observed so far. */
export interface Looks {
  readonly ports: LookPorts;
  readonly request: LookRequest;
  readonly project: ProjectInRun;
  /** The project's checks that count. */
  readonly checks: ChecksStore;
  /** Faults of the run's calls. */
  readonly faults: Faults;
  /** Whether the model is given the picture of a broken page. May change from step to step. */
  modelSees(): boolean;
  /** The person's message on one line, used as the requirement if the model states none. */
  readonly requestLine: string;
  /** The checkpoint before the turn; undefined if unknown, as in a turn that waited for the person. */
  before?: string | undefined;
  /** The requests as the model listed them when it last ended its turn. */
  asked?: readonly AskedItem[] | undefined;
  /** Whether the person asked for a repair: the project is then observed even if nothing was changed. */
  repairAsked: boolean;
  /** The newest evidence. */
  evidence?: Evidence;
  /** Names of the project's checks that failed in this run as they stand in the file. */
  readonly failedChecks: Set<string>;
}

/**
 * Collects evidence of the current files, reporting each change of a part. If the person stops the check, returns the
 * evidence so far, and the run continues.
 */
export async function lookAtProject(looks: Looks, scope: RunScope): Promise<Evidence> {
  const { browser, copies, pictures, beginLook, recorded } = looks.ports;
  const look = beginLook?.();
  const { run, clock, emit } = scope;
  const signal = look ? AbortSignal.any([scope.signal, look.signal]) : scope.signal;
  const { request, project, checks, faults, failedChecks } = looks;
  let last: Evidence | undefined;
  const known = recorded?.evidence();
  const complete = (seen: Evidence) => withFaults({ ...seen, asked: askedIn(looks, seen) }, faults);
  const report = (seen: Evidence) => emit({ type: "evidence", evidence: complete(seen), run });
  const gather = () =>
    gatherEvidence({
      workspace: project.workspace,
      browser,
      copies,
      before: looks.before,
      provesEarlier: request.prove !== undefined,
      byEye: looks.asked?.some(({ byEye }) => byEye === true),
      keepPicture: pictures && ((bytes, undrawn) => pictures.save(bytes, undrawn)),
      clock,
      previous: looks.evidence,
      touched: project.touched,
      given: project.given,
      // Checks that run only by hand may be what has to be repaired.
      asked: looks.repairAsked,
      checks,
      run,
      failedBefore: new Set(request.failedBefore),
      failedChecks: isSound(request.lastVerdict) ? failedChecks : undefined,
      namedChecks: looks.asked?.flatMap(({ check }) => check ?? []),
      served: project.served,
      onEvidence: (seen) => {
        if (signal.aborted) return;
        last = seen;
        report(seen);
      },
      signal,
    });
  const looked = known
    ? project.workspace.revision().then((revision) => ({ ...known, revision }))
    : gather();
  let seen: Evidence;
  try {
    seen = await abortable(looked, signal);
  } catch (error) {
    scope.signal.throwIfAborted();
    if (!look?.signal.aborted) throw error;
    seen = stoppedLook(last ?? untriedEvidence(await project.workspace.revision()));
    report(seen);
  } finally {
    look?.end();
  }
  const evidence = complete(seen);
  // Known evidence is reported again if faults were added or fixed since, or if it is displayed differently.
  const beside = ({ turn, asked }: Evidence) => JSON.stringify([turn, asked]);
  if (known || (!last && beside(evidence) !== beside(seen))) report(seen);
  looks.evidence = evidence;
  // An earlier form that fails after the turn changed it has not failed before that.
  for (const { name, state, was } of evidence.checks ?? [])
    if (state === "failed" && was === undefined) failedChecks.add(name);
  return evidence;
}

/**
 * The requirements of the turn: those stated by the model, else the message itself, which a check added in the turn
 * proves if there is one. A repair keeps the earlier requirements; so does a turn that is to show some of them.
 */
function askedIn(looks: Looks, { checks = [] }: Evidence): AskedItem[] {
  const { asked, repairAsked, requestLine, request } = looks;
  const { askedBefore = [], openBefore = [], failedBefore = [], prove } = request;
  // An unchanged check that passed before the turn proves nothing about the turn's work. Neither does one that failed
  // then and was only corrected: its new text passes without the turn's changes. The earlier form of a check that the
  // turn changed (`was`) says nothing about its new form, which the person may still agree to.
  const older = checks.filter(
    ({ name, isNew, rewritten, was }) =>
      was === undefined && !isNew && (rewritten || !failedBefore.includes(name)),
  );
  const isOlder = ({ check }: AskedItem) =>
    check !== undefined && older.some(({ name }) => isSameCheck(name, check));
  // A repair may leave the checks unchanged, but a check that did not show an item before does not show it now.
  const isStillOpen = (item: AskedItem) =>
    isOlder(item) &&
    askedBefore.some(
      ({ what, check }) =>
        openBefore.includes(what) && check !== undefined && isSameCheck(check, item.check ?? ""),
    );
  const mark = (item: AskedItem): AskedItem =>
    (repairAsked ? isStillOpen(item) : isOlder(item)) ? { ...item, isOlder: true } : item;
  const marked = asked?.map(mark);
  const shows = checks.find((check) => check.isNew && doesCount(check));
  if (prove) {
    const alone = prove.length === 1 ? shows?.name : undefined;
    const stated = marked?.length ? marked : prove.map((what) => ({ what, check: alone }));
    return besideEarlier(stated, prove, request, isOlder);
  }
  if (marked?.length) return marked;
  if (repairAsked && askedBefore.length > 0) return withoutAgreement(askedBefore).map(mark);
  return [{ what: requestLine, check: shows?.name }];
}

/** Combines the items of a turn that is to show some of the earlier ones with the other earlier items, unchanged. */
function besideEarlier(
  stated: readonly AskedItem[],
  prove: readonly string[],
  { askedBefore = [], openBefore = [] }: LookRequest,
  isOlder: (item: AskedItem) => boolean,
): AskedItem[] {
  const others = askedBefore.filter(({ what }) => !prove.includes(what));
  // An item that was open before is not shown by the same older check now.
  const earlier = withoutAgreement(others).map((item) =>
    openBefore.includes(item.what) && isOlder(item) ? { ...item, isOlder: true as const } : item,
  );
  const isListed = (item: AskedItem) =>
    earlier.some(
      ({ what, check }) =>
        isSameCheck(what, item.what) ||
        (item.isOlder && check !== undefined && isSameCheck(check, item.check ?? "")),
    );
  const shown = stated.filter((item) => !isListed(item));
  // A model may reword an item, but a list that is shorter than what the person asked for omits something.
  const leftOut =
    shown.length < prove.length
      ? prove.filter((what) => !shown.some((item) => isSameCheck(item.what, what)))
      : [];
  return [...earlier, ...shown, ...leftOut.map((what) => ({ what }))];
}
