import { deadlineAfter } from "../async/waiting.ts";
import { DEFAULT_LIMITS } from "../budget/limits.ts";
import { DeadlineReached } from "./deadline-reached.ts";
import { beginRun } from "./begin-run.ts";
import { execute } from "./execute.ts";
import { endingOfError, finalize } from "./finalize.ts";
import { prepare } from "./prepare.ts";
import type { Run } from "./run.ts";
import type { RunPorts, RunRequest, RunResult } from "./types.ts";
import type { RunEnding } from "../verdict/ending.ts";

/**
 * Runs one turn: everything that follows one message of the person, until a verdict, an error, a
 * budget or a stop. Appends every event to the log, from `run-start` to exactly one `run-end`.
 * Never rejects. If it waits for the person, it resolves with `waiting` and emits no `run-end`;
 * another call with `resume` continues it.
 */
export async function runTurn(request: RunRequest, ports: RunPorts): Promise<RunResult> {
  const { limits = {}, resume, signal } = request;
  const ms = limits.ms ?? DEFAULT_LIMITS.ms;
  const workedMs = resume?.state.workedMs ?? 0;
  const deadline = deadlineAfter(ports.clock, ms - workedMs, new DeadlineReached());
  const run = beginRun(request, ports, AbortSignal.any([signal, deadline.signal]));
  let ending: RunEnding | "waiting";
  try {
    // A resumed run that was aborted meanwhile must still settle its waiting calls.
    if (!resume) run.scope.signal.throwIfAborted();
    await prepare(run, ports);
    ending = await execute(run);
  } catch (error) {
    ending = endingOfError(error, run.scope.signal, ms);
  }
  deadline.cancel();
  await run.tried?.close();
  if (ending === "waiting") return waiting(run);
  return finalize(run, ending);
}

function waiting({ calls: { waitsFor }, project, budget }: Run): RunResult {
  const summary = waitsFor?.kind === "words" ? waitsFor.text : (waitsFor?.why ?? "");
  const { steps, usage } = budget;
  return { outcome: "waiting", summary, revision: project.revision, steps, usage };
}
