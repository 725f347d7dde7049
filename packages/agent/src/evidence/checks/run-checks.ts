import type { CheckReport, Evidence } from "@treadle/protocol";
import { problemWords } from "@treadle/protocol/checks";
import { doesCount, isSameCheck } from "@treadle/protocol/evidence";
import { CHECKS_FILE } from "../../checks/parse-checks.ts";
import { readChecks } from "../../checks/read-checks.ts";
import {
  countChecks,
  withHeld,
  type ChecksOccasion,
  type ChecksStore,
} from "../../checks/which-checks-count.ts";
import {
  CHECKS_AT_ONCE,
  createCheckPlaces,
  type CheckPlaces,
  type RunCheck,
} from "./check-places.ts";
import type { CopiedApp, LentCopy } from "../looks/copied-app.ts";
import { drain } from "../in-parallel.ts";
import { leadsNowhere } from "./leads-nowhere.ts";
import type { Observation } from "../observation.ts";
import { mayOnlySay } from "./only-message.ts";
import { proveFurther } from "./prove-further.ts";
import type { RevisionBefore } from "../looks/revision-before.ts";
import type { Served } from "../serve/serve.ts";
import { lastingSteps } from "./what-lasts.ts";
import type { CodeRecord } from "../changed/what-ran.ts";

/**
 * Milliseconds before a failed check is repeated, so that a chance failure does not count. Skipped if the repetition runs in
 * another copy, whose server has just started.
 */
const AGAIN_MS = 400;
/** How many failed checks are repeated at first. If none of them passes, the failures are no chance and the rest is not repeated. */
const AGAIN = 2;
/** Failures after which no further check runs: each takes seconds, and the others run once these pass. */
const FAILURES = 5;

/** A look in which one check runs. */
export interface OnlyCheck {
  name: string;
  /** The evidence before; of another revision it counts for nothing. */
  last?: Evidence | undefined;
}

export interface ChecksRequest {
  store?: ChecksStore | undefined;
  /** Copies in which the checks run. Without them they run one after another in the person's own app. */
  app?: CopiedApp | undefined;
  /** The revision before the turn, if there is one. */
  before?: Pick<RevisionBefore, "checkpoint" | "own"> | undefined;
  /** Names of the checks that failed in the previous evidence; they run first. */
  failedLast?: ReadonlySet<string> | undefined;
  /** The only check that runs, and the results that the others keep: those of the same revision. */
  only?: OnlyCheck | undefined;
  /** Records which code of the turn the checks run. */
  code?: CodeRecord | undefined;
  /** Whether new checks are to show what was made before the turn, and need not run its code. */
  provesEarlier?: boolean | undefined;
}

/**
 * Runs the project's own acceptance checks, several at the same time, each in its own browser context, so that none sees what
 * another left in the browser. Unreadable lines count as a failed check, because they would go unnoticed otherwise.
 * A check that counted, and that the model removed or changed, runs in its earlier form.
 */
export async function observeChecks(
  served: Served,
  observation: Observation,
  look: ChecksOccasion,
  { store, app, before, failedLast, only, code, provesEarlier }: ChecksRequest = {},
): Promise<void> {
  const { workspace, browser, signal, evidence } = observation;
  const { page, console } = evidence.parts;
  if (served.kind === "none") return;
  // A page that throws while loading is already broken, and every missing step would wait for its timeout.
  if (page.state === "failed" || page.state === "untried" || console.state === "failed") return;
  const view = served.kind === "page" ? served.views[0] : served.view;
  const { version, ...file } = await readChecks(workspace);
  const counting = countChecks(file, store?.read(), look);
  store?.save(counting.counted, version);
  if (counting.byHand && !look.asked && !only) return;
  const newNames = new Set(
    counting.counted.checks.filter(({ run }) => run !== undefined && run === look.run).map(nameOf),
  );
  const listed = counting.list.map(({ check, was, rewritten, isProposed }): RunCheck => {
    // A proposed form is this turn's work as well: once the person agrees to it, it has to have proven something.
    const isNew = (isProposed || newNames.has(check.name)) && { isNew: true as const };
    return {
      check,
      report: { name: check.name, state: "untried", steps: [], was, rewritten, ...isNew },
    };
  });
  const runs = only ? listed.filter(({ check }) => isSameCheck(check.name, only.name)) : listed;
  const reports = listed.map((one) =>
    only && !runs.includes(one) ? earlierReport(one.report, only, evidence.revision) : one.report,
  );
  const reportChecks = () => observation.checks(reports);
  if (file.problems.length > 0)
    reports.push({
      name: CHECKS_FILE,
      state: "failed",
      steps: file.problems.map((problem) => ({ ok: false, said: problemWords(problem) })),
    });
  if (reports.length === 0) return;
  if (!browser?.use) {
    // A check that could not run has not passed.
    for (const { report } of runs)
      report.steps = [{ ok: false, said: "there is no browser here to run it in" }];
    reportChecks();
    return;
  }
  const startsEmpty = file.startsFrom === "empty";
  const places = createCheckPlaces(app, observation, browser.use, {
    shown: view.port,
    startsEmpty,
  });
  /** Whether the turn wrote a check: only those are examined further; outside of a turn all are. */
  const isWritten = ({ report }: RunCheck) => look.run === undefined || report.isNew === true;
  const failures = await runAll(runs, places, observation, {
    isAlone: app === undefined,
    isWritten,
    failedLast,
    code,
    provesEarlier,
    reportChecks,
  });
  store?.save(withHeld(counting.counted, new Set(reports.filter(heldAtOnce).map(nameOf))), version);
  for (const finding of leadsNowhere(runs)) observation.finding(finding);
  if (failures === 0 && app) {
    reportChecks();
    const written = runs.filter((run) => isWritten(run) && doesCount(run.report));
    await proveFurther(written, places, observation, {
      app,
      before: before && {
        ...before,
        lend: () => app.lend({ isChanged: true, startsEmpty }),
        signal,
      },
    });
  }
  reportChecks();
}

/** Runs each check and repeats failed ones. @returns the number of failures */
async function runAll(
  runs: readonly RunCheck[],
  places: CheckPlaces,
  { keepPicture, clock, signal }: Observation,
  {
    isAlone,
    isWritten,
    failedLast,
    code,
    provesEarlier,
    reportChecks,
  }: {
    isAlone: boolean;
    isWritten: (run: RunCheck) => boolean;
    failedLast: ReadonlySet<string> | undefined;
    code: CodeRecord | undefined;
    provesEarlier: boolean | undefined;
    reportChecks: () => void;
  },
): Promise<number> {
  let failures = 0;
  const act = (run: RunCheck) => async () => {
    const { check, report } = run;
    if (failures >= FAILURES) {
      report.steps = [{ ok: false, said: `not run: ${FAILURES} others failed before` }];
      return;
    }
    report.state = "going";
    reportChecks();
    const since = clock.now();
    const stays = isWritten(run) ? lastingSteps(check) : [];
    const span = code?.span();
    const how = () => ({
      signal,
      stays,
      outlineBefore: isWritten(run) && mayOnlySay(check) ? true : undefined,
      picture: keepPicture ? ("on-failure" as const) : undefined,
      ...(code && {
        code: code.watch(span),
        takeServer: (copy: LentCopy) => code.takeServer(copy, span),
      }),
    });
    let tried = await places.try(check, how());
    let firstTry: string | undefined;
    if (tried.state === "failed" && failures < AGAIN) {
      firstTry = tried.steps.at(-1)?.said;
      if (isAlone) await clock.sleep(AGAIN_MS, signal);
      tried = await places.try(check, { ...how(), isNew: true });
    }
    run.tried = tried;
    const { state, steps, provesNothing, failedStep } = tried;
    const isFailed = state === "failed";
    if (isFailed) failures++;
    const isOfTurn = report.isNew && !provesEarlier;
    const ranOther = isOfTurn && state === "held" && span?.ranOfTurn() === false;
    const picture =
      isFailed && tried.picture ? await keepPicture?.(tried.picture, tried.undrawn) : undefined;
    Object.assign(report, {
      state,
      steps,
      ...(provesNothing && { provesNothing }),
      ...(!provesNothing && ranOther && { provesNothing: "other-code" }),
      ...(failedStep && { failedStep }),
      ...(picture && { picture }),
      ...(state === "held" && firstTry !== undefined && { firstTry }),
      ms: Math.max(0, clock.now() - since),
    });
  };
  const didFail = ({ check }: RunCheck) => Number(failedLast?.has(check.name) ?? false);
  const line = runs.toSorted((a, b) => didFail(b) - didFail(a)).map(act);
  await drain(line, isAlone ? 1 : CHECKS_AT_ONCE);
  return failures;
}

/** The result that a check keeps while another one runs; without one it is not tried. */
function earlierReport(
  report: CheckReport,
  { name, last }: OnlyCheck,
  revision: string,
): CheckReport {
  const earlier = last?.revision === revision ? last.checks : undefined;
  const known = earlier?.find((one) => isSameCheck(one.name, report.name));
  if (known && known.state !== "going") return known;
  return { ...report, steps: [{ ok: false, said: `not run: only “${name}” was asked for` }] };
}

const nameOf = ({ name }: { name: string }) => name;
/** A check that needed a second try is unsteady: the run that wrote it may still rewrite it. */
const heldAtOnce = ({ state, firstTry }: CheckReport) => state === "held" && firstTry === undefined;
