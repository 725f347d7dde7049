import type { Verdict } from "@treadle/protocol";
import { judge } from "@treadle/protocol/evidence";
import { WorkspaceError } from "@treadle/workspace";
import type { RunResult } from "../types.ts";
import { putBackObeyed } from "../trust/put-back-obeyed.ts";
import { deadline } from "./budget.ts";
import { ENDING_MS } from "./limits.ts";
import { saveReply } from "./save-reply.ts";
import { DeadlineReached, type Ending, type Run } from "./state.ts";

/** What a thrown error of the loop means for the run. */
export function endingOfError(run: Run, error: unknown): Ending {
  if (run.signal.aborted) {
    if (run.signal.reason instanceof DeadlineReached) {
      const over = deadline(run.limits.ms);
      return { outcome: "budget", summary: over.message, error: over };
    }
    return { outcome: "stopped", summary: "Stopped. What was finished is kept." };
  }
  const message = error instanceof Error ? error.message : String(error);
  const code = error instanceof WorkspaceError ? "workspace" : "internal";
  return { outcome: "error", summary: message, error: { code, message, canContinue: true } };
}

/** Keeps what there is and says, once, how the run ended. Never rejects and never waits long. */
export async function finalize(run: Run, ending: Ending): Promise<RunResult> {
  const { workspace, clock } = run.ports;
  const ended = new AbortController();
  const limit = clock.sleep(ENDING_MS, ended.signal).catch(() => {});
  const within = async (work: () => Promise<void>) => {
    await Promise.race([work().catch(() => {}), limit]);
  };
  await within(() => saveReply(run));
  const known = run.revision;
  await within(async () => void (await putBackObeyed(run)));
  await within(async () => {
    const revision = await workspace.revision();
    run.revision = revision;
    // What an interrupted step wrote is kept too: the person may want to go on from it.
    const cut = ending.outcome === "stopped" || ending.outcome === "budget";
    if (cut && revision !== known && run.steps > 0) {
      run.changed = true;
      await workspace.checkpoint("Stopped here");
    }
  });
  ended.abort();
  const verdict = ending.verdict ?? standingVerdict(run);
  const best = verdict === "failed" && run.evidence ? run.best.better(run.evidence) : undefined;
  const ms = Math.max(0, clock.now() - run.startedAt);
  const { summary, outcome, error } = ending;
  run.emit({
    type: "run-end",
    run: run.request.run,
    outcome,
    ...(verdict ? { verdict } : {}),
    summary,
    ...(run.said && outcome === "done" ? { said: run.said } : {}),
    revision: run.revision,
    steps: run.steps,
    usage: run.usage,
    ms,
    ...(best ? { best } : {}),
    ...(error ? { error } : {}),
  });
  return {
    outcome,
    ...(verdict ? { verdict } : {}),
    summary,
    revision: run.revision,
    steps: run.steps,
    usage: run.usage,
    ...(run.evidence ? { evidence: run.evidence } : {}),
  };
}

/** How the files stand where the run was ended before it looked at them; nothing where it changed none. */
function standingVerdict({ changed, evidence, revision }: Run): Verdict | undefined {
  if (!changed) return undefined;
  return evidence?.revision === revision ? judge(evidence).verdict : "unverified";
}
