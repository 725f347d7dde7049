import type { Call } from "../calls/call.ts";
import { createCallQueue, type CallQueue } from "../calls/call-queue.ts";
import type { RunScope } from "../ports/run-scope.ts";
import { createStepRecord, type StepRecord } from "./step-record.ts";
import { createStreamReader, type StreamReader, type StreamReads } from "./stream-reader.ts";

/** An answer of the model while it is made, over as many requests as it takes: one is cut, the next goes on with it. */
export interface ModelAnswer {
  readonly record: StepRecord;
  readonly reader: StreamReader;
  /** Its calls, each run as soon as it is complete and those before it have ended. */
  readonly queue: CallQueue<Call>;
}

/** @param run runs a call; must not reject */
export function createAnswer(
  step: number,
  run: (call: Call) => Promise<void>,
  reads: StreamReads,
  scope: RunScope,
): ModelAnswer {
  const record = createStepRecord(step);
  const queue = createCallQueue(run);
  return { record, queue, reader: createStreamReader(record, queue, reads, scope) };
}
