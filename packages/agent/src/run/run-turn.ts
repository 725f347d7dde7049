import type { RunPorts, RunRequest, RunResult } from "../types.ts";
import { execute } from "./execute.ts";
import { endingOfError, finalize } from "./finalize.ts";
import { beginRun, prepare } from "./prepare.ts";
import { DeadlineReached, type Ending } from "./state.ts";

/**
 * Runs one turn: everything that follows one message of the person, until a verdict, an error, a budget or a stop.
 * Appends every event of it to the log, from `run-start` to exactly one `run-end`. Never rejects.
 */
export async function runTurn(request: RunRequest, ports: RunPorts): Promise<RunResult> {
  const over = new AbortController();
  const ended = new AbortController();
  const run = beginRun(request, ports, AbortSignal.any([request.signal, over.signal]));
  ports.clock
    .sleep(run.limits.ms, ended.signal)
    .then(() => {
      if (!ended.signal.aborted) over.abort(new DeadlineReached());
    })
    .catch(() => {});
  let ending: Ending;
  try {
    run.signal.throwIfAborted();
    await prepare(run);
    ending = await execute(run);
  } catch (error) {
    ending = endingOfError(run, error);
  }
  ended.abort();
  return finalize(run, ending);
}
