import type { Evidence, Verdict } from "@treadle/protocol";
import { judge } from "@treadle/protocol/evidence";
import { sentence, asMessage, errorSentence } from "@treadle/protocol/sentences";
import { WorkspaceError } from "@treadle/workspace";
import { abortable, deadlineAfter } from "../async/waiting.ts";
import { deadline } from "../budget/budget.ts";
import { saveReply } from "../context/conversation/conversation.ts";
import type { ProjectInRun } from "../project/project-in-run.ts";
import { putBackChanged } from "../trust/put-back.ts";
import { endingWith, summaryFields, type RunEnding } from "../verdict/ending.ts";
import { DeadlineReached } from "./deadline-reached.ts";
import { ENDING_MS } from "./limits.ts";
import type { Run } from "./run.ts";
import type { RunResult } from "./types.ts";

/**
 * Maps an error thrown by the loop to the ending of the run.
 * @param ms the run's time limit
 */
export function endingOfError(error: unknown, signal: AbortSignal, ms: number): RunEnding {
  if (signal.aborted) {
    if (signal.reason instanceof DeadlineReached) {
      return endingWith("budget", deadline(ms));
    }
    return { outcome: "stopped", ...summaryFields(sentence("finished-kept")) };
  }
  return endingWith("error", {
    code: error instanceof WorkspaceError ? "workspace" : "internal",
    ...asMessage(errorSentence(error)),
    canContinue: true,
  });
}

/**
 * Saves the run's state and emits its single `run-end`. Never rejects, and waits for a limited
 * time.
 */
export async function finalize(run: Run, ending: RunEnding): Promise<RunResult> {
  const { scope, budget, project, looks, repairs, lastWords } = run;
  await keepWhatThereIs(run, ending);
  const { evidence } = looks;
  const verdict = ending.verdict ?? standingVerdict(project, evidence);
  const best = verdict === "failed" && evidence ? repairs.best.better(evidence) : undefined;
  const { summary, summaryCode, outcome, error } = ending;
  const { revision } = project;
  const { steps, usage } = budget;
  scope.emit({
    type: "run-end",
    run: scope.run,
    outcome,
    verdict,
    summary,
    summaryCode,
    said: lastWords && outcome === "done" ? lastWords : undefined,
    revision,
    steps,
    usage,
    ms: Math.max(0, scope.clock.now() - budget.startedAt),
    best,
    error,
  });
  return {
    outcome,
    verdict,
    summary,
    revision,
    steps,
    usage,
    evidence,
  };
}

/** Saves messages and files, each as far as possible within the time limit. */
async function keepWhatThereIs(
  { scope, budget, conversation, project, protectedFiles, runner, save }: Run,
  { outcome }: RunEnding,
): Promise<void> {
  const { workspace } = project;
  // Work that has not finished by then is given up.
  const limit = deadlineAfter(scope.clock, ENDING_MS);
  const within = (work: () => Promise<void>) => abortable(work(), limit.signal).catch(() => {});
  await within(() => saveReply(conversation, save));
  const known = project.revision;
  await within(async () => void (protectedFiles && (await putBackChanged(protectedFiles, scope))));
  await within(async () => void (await runner.locks.putBack()));
  await within(async () => {
    project.revision = await workspace.revision();
    // The files of an interrupted step are kept as well: the person may want to continue from them.
    const cut = outcome === "stopped" || outcome === "budget";
    if (!cut || project.revision === known || budget.steps === 0) return;
    project.changed = true;
    await workspace.checkpoint("Stopped here");
  });
  limit.cancel();
}

/**
 * The verdict on the files if the run ended before it observed them; undefined if it changed none.
 */
function standingVerdict(
  { changed, revision }: ProjectInRun,
  evidence: Evidence | undefined,
): Verdict | undefined {
  if (!changed) return undefined;
  return evidence?.revision === revision ? judge(evidence).verdict : "unverified";
}
