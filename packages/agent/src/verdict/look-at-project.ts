import type { Evidence, Verdict } from "@treadle/protocol";
import { abortable } from "../async/waiting.ts";
import { withFaults, type Faults } from "../calls/faults.ts";
import type { ChecksStore } from "../checks/which-checks-count.ts";
import { gatherEvidence } from "../evidence/gather-evidence.ts";
import type { Browser } from "../ports/browser.ts";
import type { DataCopies } from "../ports/data-copies.ts";
import type { PicturePort } from "../ports/pictures.ts";
import type { RunScope } from "../ports/run-scope.ts";
import type { ProjectInRun } from "../project/project-in-run.ts";

/** What a run looks at its project with, and what it has seen of it. */
export interface Looks {
  readonly project: ProjectInRun;
  readonly browser?: Browser | undefined;
  /** Copies of the app that it is looked at in. */
  readonly copies?: DataCopies | undefined;
  /** The checkpoint that stood before the turn; absent: none did. */
  readonly before?: string | undefined;
  /** What keeps pictures of its pages: the person is shown them, whatever the model sees. */
  readonly keepPicture?: PicturePort["keep"] | undefined;
  /** Whether the model is given the picture of a page that is broken. It may be another one at the next step. */
  modelSees(): boolean;
  /** The project's checks that count. */
  readonly checks: ChecksStore;
  /** What its calls did badly. */
  readonly faults: Faults;
  /** What the newest revision with a verdict had before the run. */
  readonly lastVerdict?: Verdict | undefined;
  /** What counts is another than at the last look: it is looked at even where nothing was changed. */
  readonly isDue: boolean;
  /** The person asked for the repair of what is broken: it is looked at, even where nothing was changed. */
  repairAsked: boolean;
  /** What was seen last. */
  evidence?: Evidence;
  /** Names of the project's checks that were seen to fail in this run. */
  readonly failedChecks: Set<string>;
}

/** Gathers evidence of the project as it stands, telling each change of a part. */
export async function lookAtProject(
  looks: Looks,
  { run, signal, clock, emit }: RunScope,
): Promise<Evidence> {
  const { project, browser, copies, keepPicture, checks, faults, failedChecks } = looks;
  let isTold = false;
  const tell = (seen: Evidence) =>
    emit({ type: "evidence", evidence: withFaults(seen, faults), run });
  const looked = gatherEvidence({
    workspace: project.workspace,
    browser,
    copies,
    before: looks.before,
    keepPicture,
    clock,
    previous: looks.evidence,
    touched: project.touched,
    // What is for running by hand may be what is to be repaired.
    asked: looks.repairAsked,
    checks,
    run,
    failedChecks: looks.lastVerdict === "verified" ? failedChecks : undefined,
    served: project.served,
    onEvidence: (seen) => {
      isTold = true;
      tell(seen);
    },
    signal,
  });
  const seen = await abortable(looked, signal);
  const evidence = withFaults(seen, faults);
  // What was known already is told again where something went badly since, or was made good.
  if (!isTold && JSON.stringify(evidence.turn) !== JSON.stringify(seen.turn)) tell(seen);
  looks.evidence = evidence;
  for (const { name, state } of evidence.checks ?? [])
    if (state === "failed") failedChecks.add(name);
  return evidence;
}
