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

/** Tells who stops looks that one begins, and gives the signal that is aborted if it is this one. */
export type BeginLook = () => { readonly signal: AbortSignal; end(): void };

/** What a run looks at its project with, and what it has seen of it. */
export interface Looks {
  readonly project: ProjectInRun;
  readonly browser?: Browser | undefined;
  /** Copies of the app that it is looked at in. */
  readonly copies?: DataCopies | undefined;
  /** The checkpoint that stood before the turn; absent: it is not known, as in a turn that waited for the person. */
  before?: string | undefined;
  /** Names of the checks that failed before the turn: that they hold now is the turn's work. */
  readonly failedBefore: ReadonlySet<string>;
  /** What the look before the turn found. */
  readonly foundBefore?: readonly Finding[] | undefined;
  /** What keeps pictures of its pages: the person is shown them, whatever the model sees. */
  readonly keepPicture?: PicturePort["save"] | undefined;
  /** Whether the model is given the picture of a page that is broken. It may be another one at the next step. */
  modelSees(): boolean;
  /** The project's checks that count. */
  readonly checks: ChecksStore;
  /** What its calls did badly. */
  readonly faults: Faults;
  /** What the newest revision with a verdict had before the run. */
  readonly lastVerdict?: Verdict | undefined;
  /** The model is told once what of the request no check shows, and may go on. */
  readonly isThorough: boolean;
  /** What the person wrote, in one line: what was asked for where the model does not say it. */
  readonly request: string;
  /** What was asked for in the turn before: a repair asks for nothing else. */
  readonly askedBefore?: readonly AskedItem[] | undefined;
  /** What the model said was asked for, as it ended its turn last. */
  asked?: readonly AskedItem[] | undefined;
  /** What counts is another than at the last look: it is looked at even where nothing was changed. */
  readonly isDue: boolean;
  /** Begins a look that the person may stop; absent: only the run can be stopped. */
  readonly beginLook?: BeginLook | undefined;
  /** The person asked for the repair of what is broken: it is looked at, even where nothing was changed. */
  repairAsked: boolean;
  /** Evidence that is given in place of a look. Absent: the project is looked at. */
  readonly recorded?: RecordedWork | undefined;
  /** What was seen last. */
  evidence?: Evidence;
  /** Names of the project's checks that were seen to fail in this run. */
  readonly failedChecks: Set<string>;
}

/**
 * Gathers evidence of the project as it stands, telling each change of a part. If the person stops the look, what was seen
 * until then is returned, and the run goes on.
 */
export async function lookAtProject(looks: Looks, scope: RunScope): Promise<Evidence> {
  const look = looks.beginLook?.();
  const { run, clock, emit } = scope;
  const signal = look ? AbortSignal.any([scope.signal, look.signal]) : scope.signal;
  const { project, browser, copies, keepPicture, checks, faults, failedChecks } = looks;
  let last: Evidence | undefined;
  const known = looks.recorded?.evidence();
  const complete = (seen: Evidence) => withFaults({ ...seen, asked: askedIn(looks, seen) }, faults);
  const report = (seen: Evidence) => emit({ type: "evidence", evidence: complete(seen), run });
  const gather = () =>
    gatherEvidence({
      workspace: project.workspace,
      browser,
      copies,
      before: looks.before,
      byEye: looks.asked?.some(({ byEye }) => byEye === true),
      keepPicture,
      clock,
      previous: looks.evidence,
      touched: project.touched,
      given: project.given,
      // What is for running by hand may be what is to be repaired.
      asked: looks.repairAsked,
      checks,
      run,
      failedBefore: looks.failedBefore,
      failedChecks: isSound(looks.lastVerdict) ? failedChecks : undefined,
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
  // What was known already is told again where something went badly since, or was made good, or is shown otherwise.
  const beside = ({ turn, asked }: Evidence) => JSON.stringify([turn, asked]);
  if (known || (!last && beside(evidence) !== beside(seen))) report(seen);
  looks.evidence = evidence;
  for (const { name, state } of evidence.checks ?? [])
    if (state === "failed") failedChecks.add(name);
  return evidence;
}

/**
 * What was asked for in the turn: as the model said it, else the message itself, which a check that is new in the turn
 * shows if there is one. Of a repair it is what was asked for before.
 */
function askedIn(
  { asked, askedBefore, repairAsked, request, failedBefore }: Looks,
  { checks = [] }: Evidence,
): AskedItem[] {
  // A check that held before the turn, and was not changed in it, says nothing of what the turn added.
  // Nor does one that failed then and was only mended: its new text holds without the turn's changes.
  const older = checks.filter(
    ({ name, isNew, rewritten }) => !isNew && (rewritten || !failedBefore.has(name)),
  );
  const isOlder = ({ check }: AskedItem) =>
    check !== undefined && older.some(({ name }) => isSameCheck(name, check));
  if (asked && asked.length > 0)
    return asked.map((item) => (!repairAsked && isOlder(item) ? { ...item, isOlder: true } : item));
  if (repairAsked && askedBefore) return withoutAgreement(askedBefore);
  const shows = checks.find((check) => check.isNew && doesCount(check));
  return [{ what: request, ...(shows && { check: shows.name }) }];
}
