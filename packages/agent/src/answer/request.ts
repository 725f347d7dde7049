import { contextUse } from "../context/compaction/context-use.ts";
import { answerOverflow } from "../context/compaction/keep-fit.ts";
import { classifyError } from "../models/errors/classify.ts";
import { StalledError, type ModelFailure } from "../models/errors/model-failure.ts";
import { retryDelay } from "../models/errors/retry-delay.ts";
import { forgoPictures, picturesRefused } from "../models/habits/forgo-pictures.ts";
import { refusesTools, speakArtifacts } from "../dialects/speak-artifacts.ts";
import { abortable } from "../async/abortable.ts";
import type { Answer } from "./answer.ts";
import { askModel } from "./ask-model.ts";
import { watchIdle } from "../async/idle-watch.ts";
import { readAnswer } from "./read-stream.ts";
import type { Run } from "../loop/state.ts";
import { readyForRequest } from "./step-record.ts";
import { addUsage } from "../models/usage.ts";

/** Shorter waits than this are not worth a word. */
const TOLD_MS = 1_500;

/**
 * One model call, asked again where that can help and nothing of it has been shown.
 * Resolves with why what it gave is not whole; rejects when the run is aborted.
 * @param isRest whether it is for the rest of the answer, which the output limit cut
 */
export async function request(
  run: Run,
  answer: Answer,
  isRest: boolean,
): Promise<ModelFailure | undefined> {
  const { random = Math.random, model } = run.ports;
  const { record } = answer;
  for (let tries = 1; ; tries++) {
    readyForRequest(record);
    record.context = contextUse(run, record.saidTokens);
    const failure = await tryOnce(run, answer, isRest);
    if (!failure || record.committed) return failure;
    if (refusesTemperature(run, failure)) run.sendsTemperature = false;
    else if (refusesTools(run, failure)) speakArtifacts(run);
    else if (picturesRefused(failure, record)) forgoPictures(run);
    else if (!(await answerOverflow(run, failure))) {
      const delay = retryDelay(failure, tries, run.limits.modelTries, random);
      if (delay === undefined) return failure;
      await waitToRetry(run, failure, delay, model.id);
    }
  }
}

/** A model that is not known beforehand may take no temperature: it says so, and is asked once more without. */
function refusesTemperature(run: Run, { code, message }: ModelFailure): boolean {
  return run.sendsTemperature && code === "provider-refused" && /temperature/i.test(message);
}

async function waitToRetry(
  run: Run,
  failure: ModelFailure,
  delay: number,
  model: string,
): Promise<void> {
  const { clock } = run.ports;
  const asked = failure.retryAfterMs !== undefined;
  if (asked || delay >= TOLD_MS)
    run.emit({
      type: "waiting",
      run: run.request.run,
      reason: "retry",
      text: asked
        ? `${model} asks us to wait ${Math.ceil(delay / 1000)} s`
        : `Asking ${model} again in ${Math.ceil(delay / 1000)} s: ${failure.message}`,
      until: clock.now() + delay,
    });
  await abortable(clock.sleep(delay, run.signal), run.signal);
}

async function tryOnce(
  run: Run,
  answer: Answer,
  isRest: boolean,
): Promise<ModelFailure | undefined> {
  const { record } = answer;
  const attempt = new AbortController();
  const signal = AbortSignal.any([run.signal, attempt.signal]);
  const idle = watchIdle(run.ports.clock, run.limits.modelIdleMs, () =>
    attempt.abort(new StalledError(run.limits.modelIdleMs)),
  );
  try {
    const stream = await abortable(askModel(run, isRest, signal), signal);
    await readAnswer(stream, answer, { signal, onPart: idle.touch });
    return undefined;
  } catch (error) {
    run.signal.throwIfAborted();
    return classifyError(
      attempt.signal.aborted ? attempt.signal.reason : error,
      run.ports.model.providerName ?? run.ports.model.id,
      record.committed,
    );
  } finally {
    idle.stop();
    // Lets go of the connection; what was complete has been read.
    attempt.abort();
    run.usage = addUsage(run.usage, record.usage);
  }
}
