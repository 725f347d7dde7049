import type { Evidence, RunOutcome } from "@treadle/protocol";
import { judge } from "@treadle/protocol/evidence";
import { WorkspaceError } from "@treadle/workspace";
import type { Picture } from "../types.ts";
import { failureSignature } from "./failure-signature.ts";
import { keepCheckpoint } from "../project/keep-checkpoint.ts";
import { lookAtProject } from "./look-at-project.ts";
import { repairText } from "./repair-text.ts";
import { triedWords } from "./tried.ts";
import type { Ending, Run, RunError } from "../loop/state.ts";

/** The end of the run, or what the model is told so that it goes on. */
export type Review = { ending: Ending } | { tell: string; picture?: Picture };

/** The model says that it is done: this is checked. */
export async function review(run: Run): Promise<Review> {
  if (!needsVerdict(run)) return { ending: { outcome: "done", summary: "Nothing was changed." } };
  const evidence = await observe(run);
  if ("code" in evidence)
    return { ending: { outcome: "error", summary: evidence.message, error: evidence } };
  const { verdict, reason } = judge(evidence);
  if (verdict !== "failed") return { ending: endingOf("done", evidence) };

  const signature = failureSignature(evidence);
  const same = signature === run.lastFailure ? run.sameFailures + 1 : 0;
  run.lastFailure = signature;
  run.sameFailures = same;
  // The first time the same failure comes back the model is told to change its approach; the second time it is over.
  if (same > 1)
    return {
      ending: endingOf(
        "done",
        evidence,
        "the same failure came back after a change of approach",
        triedWords(run),
      ),
    };
  if (run.repairs >= run.limits.repairs)
    return {
      ending: endingOf(
        "done",
        evidence,
        `it was not repaired in ${run.repairs} ${run.repairs === 1 ? "try" : "tries"}`,
        triedWords(run),
      ),
    };
  run.repairs++;
  (run.tried ??= []).push([]);
  run.emit({
    type: "repair",
    run: run.request.run,
    attempt: run.repairs,
    limit: run.limits.repairs,
    reason,
  });
  const tell = repairText(evidence, { again: same > 0, now: run.ports.clock.now() });
  const picture = pictureOf(evidence);
  return picture ? { tell, picture } : { tell };
}

/** The run ends for another reason than its own: what stands is still looked at, so that it is known how it stands. */
export async function verdictNow(run: Run, outcome: RunOutcome, error: RunError): Promise<Ending> {
  const ending: Ending = { outcome, error, summary: error.message };
  if (!run.changed || error.code === "workspace" || error.code === "internal") return ending;
  // A broken answer leaves half of what was meant: looking at it would take minutes and tell nothing new.
  if (outcome === "error") return ending;
  const evidence = await observe(run);
  return "code" in evidence ? ending : { ...ending, verdict: judge(evidence).verdict };
}

/** What the broken page looked like, else the one in which a check failed. */
function pictureOf({ pages, checks = [] }: Evidence): Picture | undefined {
  return [...pages, ...checks].find(({ picture }) => picture)?.picture;
}

function needsVerdict(run: Run): boolean {
  if (run.changed || run.repairAsked || run.request.look) return true;
  const { lastVerdict } = run.request;
  return run.commanded && lastVerdict !== undefined && lastVerdict !== "verified";
}

/** Looks, and keeps what was looked at, so that it can be offered again. */
async function observe(run: Run): Promise<Evidence | RunError> {
  try {
    const evidence = await lookAtProject(run);
    const kept = await keepCheckpoint(
      run,
      judge(evidence).verdict === "verified" ? "Verified" : "Checked",
    );
    if (kept.revision === evidence.revision) run.best.offer(kept.checkpoint, evidence);
    return evidence;
  } catch (error) {
    run.signal.throwIfAborted();
    if (!(error instanceof WorkspaceError)) throw error;
    return { code: "workspace", message: error.message, canContinue: true };
  }
}

function endingOf(outcome: RunOutcome, evidence: Evidence, why?: string, tried = ""): Ending {
  const { verdict, reason } = judge(evidence);
  const word = { verified: "Verified", failed: "Failed", unverified: "Not verified" }[verdict];
  return { outcome, verdict, summary: `${word}: ${reason}${why ? `; ${why}` : ""}.${tried}` };
}
