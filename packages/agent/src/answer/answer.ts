import type { Call } from "../calls/call.ts";
import { createCallQueue, type CallQueue } from "../calls/call-queue.ts";
import { createAnswerReader, type AnswerReader } from "./read-stream.ts";
import { runCall } from "../calls/run-call.ts";
import type { Run } from "../loop/state.ts";
import { createStepRecord, type StepRecord } from "./step-record.ts";

/** An answer of the model while it is made, over as many requests as it takes: one is cut, the next goes on with it. */
export interface Answer {
  readonly record: StepRecord;
  readonly reader: AnswerReader;
  readonly queue: CallQueue<Call>;
}

export function createAnswer(run: Run): Answer {
  const record = createStepRecord(run.steps);
  const queue = createCallQueue<Call>((call) => runCall(run, call));
  return { record, queue, reader: createAnswerReader(run, record, queue) };
}
