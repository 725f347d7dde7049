import type { CheckReport, Evidence, Finding, RunOutcome, Verdict } from "@treadle/protocol";
import { isSound, isWorthTelling, judge, unprovenItems } from "@treadle/protocol/evidence";
import { WorkspaceError } from "@treadle/workspace";
import { clauses, sentence, type Sentence, asMessage } from "@treadle/protocol/sentences";
import type { Faults } from "../calls/faults.ts";
import { isBroken } from "../evidence/looks/look-at-pages.ts";
import type { Picture } from "../ports/pictures.ts";
import type { RunError } from "../ports/run-error.ts";
import type { RunScope } from "../ports/run-scope.ts";
import { keepCheckpoint } from "../project/keep-checkpoint.ts";
import { changedChecks, changedChecksText } from "./changed-checks-text.ts";
import { type RunEnding, endingWith, summaryFields } from "./ending.ts";
import { failureSignature } from "./failure-signature.ts";
import { lookAtProject, type Looks } from "./look-at-project.ts";
import { repairText } from "./repair-text.ts";
import { triedWords, type Repairs } from "./repairs.ts";
import { unprovenText } from "./unproven-text.ts";

/** The end of the run, or the message with which the model continues. */
export type Review = { ending: RunEnding } | { prompt: string; picture?: Picture | undefined };

/**
 * Observes the project after the model declared its turn done, and decides how the run goes on.
 * @param limit maximum number of repairs in a run
 */
export async function review(
  looks: Looks,
  repairs: Repairs,
  limit: number,
  scope: RunScope,
): Promise<Review> {
  if (!needsVerdict(looks))
    return { ending: { outcome: "done", ...summaryFields(unchangedWords(looks.faults)) } };
  const evidence = await observe(looks, repairs, scope);
  if ("code" in evidence) return { ending: endingWith("error", evidence) };
  const { verdict, reason } = judge(evidence);
  // If all edits of a turn were refused, the evidence is about the state before it, whatever the model claims.
  const unchanged = looks.project.changed ? [] : [sentence("unchanged-turn")];
  const canBeShown = unprovenItems(evidence).some(({ why }) => why !== "by-eye");
  const found = newFindings(evidence, looks.request.foundBefore);
  const isOpen = (verdict === "runs" && canBeShown) || found.some(isWorthTelling);
  if (isSound(verdict) && isOpen && looks.request.thorough && !repairs.wasToldUnproven) {
    repairs.wasToldUnproven = true;
    return { prompt: unprovenText({ ...evidence, findings: found }) };
  }
  const changed = changedChecks(evidence);
  const counted = looks.checks.read()?.checks ?? [];
  // One that did not pass before it was changed cannot be named: the person decides.
  const mayBeNamed = ({ name, was }: CheckReport) =>
    was?.how === "removed"
      ? isSound(looks.request.lastVerdict)
      : counted.some((one) => one.name === name && one.changedIn !== undefined);
  const isTold = verdict === "unverified" && changed.some(mayBeNamed);
  if (isTold && looks.request.thorough && !repairs.wasToldChanged) {
    repairs.wasToldChanged = true;
    return { prompt: changedChecksText(changed) };
  }
  if (verdict !== "failed") return { ending: endingOf(evidence, unchanged) };

  const signature = failureSignature(evidence);
  const same = signature === repairs.lastFailure ? repairs.sameFailures + 1 : 0;
  const isUnchanged = same > 0 && evidence.revision === repairs.lastFailedRevision;
  repairs.lastFailure = signature;
  repairs.lastFailedRevision = evidence.revision;
  repairs.sameFailures = same;
  // When a failure recurs, the model is told to change its approach; the second time the run ends.
  if (same > 1) {
    const why = [sentence(isUnchanged ? "same-revision" : "same-failure")];
    return { ending: endingOf(evidence, why, triedWords(repairs)) };
  }
  if (repairs.count >= limit) {
    const why = [sentence("not-repaired", { count: repairs.count })];
    return { ending: endingOf(evidence, why, triedWords(repairs)) };
  }
  repairs.count++;
  (repairs.tried ??= []).push([]);
  scope.emit({ type: "repair", run: scope.run, attempt: repairs.count, limit, reason });
  return {
    prompt: repairText(evidence, {
      again: isUnchanged ? "unchanged" : same > 0,
      now: scope.clock.now(),
    }),
    picture: looks.modelSees() ? pictureOf(evidence) : undefined,
  };
}

/** Checks the project when the run ends for an external reason, so that its state is known. */
export async function verdictNow(
  looks: Looks,
  repairs: Repairs,
  outcome: RunOutcome,
  error: RunError,
  scope: RunScope,
): Promise<RunEnding> {
  const ending = endingWith(outcome, error);
  if (!looks.project.changed || error.code === "workspace" || error.code === "internal")
    return ending;
  // A broken answer leaves an unfinished change: checking it would take minutes and reveal nothing new.
  if (outcome === "error") return ending;
  const evidence = await observe(looks, repairs, scope);
  return "code" in evidence ? ending : { ...ending, verdict: judge(evidence).verdict };
}

/** Maximum number of faults that are named. */
const NAMED = 3;

/**
 * The summary of a turn that changed nothing: lists its failed attempts, because the model may claim that it is done.
 */
function unchangedWords(faults: Faults): Sentence {
  const tried = [...faults.values()]
    .slice(0, NAMED)
    .map(({ said: text, saidCode }) => ({ text, coded: saidCode }));
  return tried.length === 0
    ? sentence("nothing-changed")
    : sentence("nothing-changed-but", { faults: tried });
}

function needsVerdict({ project, repairAsked, request }: Looks): boolean {
  const { lastVerdict, look = false } = request;
  if (project.changed || repairAsked || look) return true;
  return project.commanded && lastVerdict !== undefined && !isSound(lastVerdict);
}

/** The picture of a broken page, else of a page on which a check failed. */
function pictureOf({ pages, checks = [] }: Evidence): Picture | undefined {
  return [...pages.filter(isBroken), ...checks].find(({ picture }) => picture)?.picture;
}

/** Checks the project and stores a checkpoint of the checked revision, so that it can be restored. */
async function observe(
  looks: Looks,
  { best }: Repairs,
  scope: RunScope,
): Promise<Evidence | RunError> {
  try {
    const evidence = await lookAtProject(looks, scope);
    const { verdict } = judge(evidence);
    const label =
      verdict === "verified"
        ? sentence("checkpoint-verified")
        : isSound(verdict)
          ? VERDICT_WORDS[verdict]
          : sentence("checkpoint-checked");
    const checkpoint = await keepCheckpoint(looks.project, label, scope);
    if (checkpoint.revision === evidence.revision) best.offer(checkpoint.checkpoint, evidence);
    return evidence;
  } catch (error) {
    scope.signal.throwIfAborted();
    if (!(error instanceof WorkspaceError)) throw error;
    return { code: "workspace", ...asMessage(error.sentence), canContinue: true };
  }
}

/** Findings that are new in this turn; earlier ones were reported and left. */
const newFindings = ({ findings = [] }: Evidence, before: readonly Finding[] = []): Finding[] =>
  findings.filter(
    ({ code, subject, check }) =>
      !before.some((one) => one.code === code && one.subject === subject && one.check === check),
  );

const VERDICT_WORDS: Record<Verdict, string> = {
  verified: "Verified",
  runs: "Runs",
  failed: "Failed",
  unverified: "Not verified",
};

/**
 * @param why details about the turn's end that the verdict lacks
 * @param tried the failed attempts, with a leading space and a final full stop; empty if there were none
 */
function endingOf(evidence: Evidence, why: readonly Sentence[], tried = ""): RunEnding {
  const { verdict, reason, reasonCode } = judge(evidence);
  const explanation = clauses({ text: reason, coded: reasonCode }, ...why);
  const summary = `${VERDICT_WORDS[verdict]}: ${explanation.text}.${tried}`;
  const code = tried === "" ? explanation : clauses(explanation, tried.trim());
  return { outcome: "done", verdict, summary, summaryCode: code.coded };
}
