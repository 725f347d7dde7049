import type { RunPorts, RunRequest, RunResult } from "../types.ts";
import { execute } from "./execute.ts";
import { endingOfError, finalize } from "./finalize.ts";
import { beginRun, prepare } from "./prepare.ts";
import { DeadlineReached, type Ending, type Run } from "./state.ts";

/**
 * Runs one turn: everything that follows one message of the person, until a verdict, an error, a budget or a stop.
 * Appends every event of it to the log, from `run-start` to exactly one `run-end`. Never rejects.
 * Where it waits for the person it resolves with `waiting` and no `run-end`: the next call, with `resume`, goes on.
 */
export async function runTurn(request: RunRequest, ports: RunPorts): Promise<RunResult> {
  const over = new AbortController();
  const ended = new AbortController();
  const run = beginRun(request, ports, AbortSignal.any([request.signal, over.signal]));
  ports.clock
    .sleep(run.limits.ms - (request.resume?.state.workedMs ?? 0), ended.signal)
    .then(() => {
      if (!ended.signal.aborted) over.abort(new DeadlineReached());
    })
    .catch(() => {});
  let ending: Ending | "waiting";
  try {
    // A run that only has to be ended still settles the calls that wait.
    if (!request.resume) run.signal.throwIfAborted();
    await prepare(run);
    ending = await execute(run);
  } catch (error) {
    ending = endingOfError(run, error);
  }
  ended.abort();
  if (ending === "waiting") return waiting(run);
  return finalize(run, ending);
}

function waiting({ waitsFor, revision, steps, usage }: Run): RunResult {
  const summary = waitsFor?.kind === "words" ? waitsFor.text : (waitsFor?.why ?? "");
  return { outcome: "waiting", summary, revision, steps, usage };
}
