import { sentence, sentenceIn } from "@treadle/protocol/sentences";
import { abortable, watchIdle } from "../async/waiting.ts";
import { addUsage } from "@treadle/protocol/fold";
import { settleRetelling } from "../context/compaction/retell-as-text.ts";
import { contextUse } from "../context/compaction/measure.ts";
import { shownTo } from "../context/conversation/shown-conversation.ts";
import { withLifeSigns } from "../models/wire/life-signs.ts";
import { classifyError } from "../models/errors/classify.ts";
import { StalledError, type ModelFailure } from "../models/errors/model-failure.ts";
import { retryDelay } from "../models/errors/retry-delay.ts";
import type { RunScope } from "../ports/run-scope.ts";
import { askModel } from "./ask-model.ts";
import { giveWay } from "./give-way.ts";
import { fixedCharacters } from "./prompt-size.ts";
import type { ModelRequest } from "./model-request.ts";
import { LogUnwrittenError, type ModelResponse, readStream } from "./read-stream.ts";
import { readyForRequest } from "./step-record.ts";

/** Shorter waits are not reported, in milliseconds. */
const TOLD_MS = 1_500;

/**
 * Makes one model call, and retries it if that can help and nothing of the answer has been shown. Resolves with the
 * reason why the answer is incomplete, if it is; rejects when the run is aborted, or when the log cannot be written.
 * @param isRest whether to request the rest of an answer that the output limit cut off
 */
export async function askWithRetries(
  asking: ModelRequest,
  answer: ModelResponse,
  isRest: boolean,
  scope: RunScope,
): Promise<ModelFailure | undefined> {
  const { record } = answer;
  for (let tries = 1; ; tries++) {
    readyForRequest(record);
    record.context = useOf(asking, record.saidTokens);
    const failure = await tryOnce(asking, answer, isRest, scope);
    if (!failure || record.committed) {
      settleRetelling(asking.fit, true, scope);
      return failure;
    }
    if (await giveWay(asking, failure, (record.context.parts.pictures ?? 0) > 0, scope)) continue;
    const { modelTries } = asking.fit.budget.limits;
    const delay = retryDelay(failure, tries, modelTries, asking.random);
    if (delay === undefined) return failure;
    await waitToRetry(failure, delay, asking.model.model.id, scope);
  }
}

/** The estimated contents of the next request, by kind. */
function useOf(
  { model: { model, dialect }, fit, foreign, pictures }: ModelRequest,
  saidTokens: number,
) {
  return contextUse(
    fixedCharacters(dialect, foreign),
    shownTo(model, fit.conversation.messages),
    {
      contextWindow: model.contextWindow,
      model: model.id,
      withPictures: pictures !== undefined && model.seesPictures === true,
    },
    saidTokens,
  );
}

async function waitToRetry(
  failure: ModelFailure,
  delay: number,
  model: string,
  { run, signal, clock, emit }: RunScope,
): Promise<void> {
  const asked = failure.retryAfterMs !== undefined;
  const seconds = Math.ceil(delay / 1000);
  const words = asked
    ? sentence("asks-to-wait", { model, seconds })
    : sentence("asking-again", { model, seconds, why: sentenceIn(failure) });
  if (asked || delay >= TOLD_MS)
    emit({
      type: "waiting",
      run,
      reason: "retry",
      text: words.text,
      textCode: words.coded,
      until: clock.now() + delay,
    });
  await abortable(clock.sleep(delay, signal), signal);
}

async function tryOnce(
  asking: ModelRequest,
  answer: ModelResponse,
  isRest: boolean,
  scope: RunScope,
): Promise<ModelFailure | undefined> {
  const { record } = answer;
  const { model } = asking.model;
  const { budget } = asking.fit;
  const { modelIdleMs } = budget.limits;
  const attempt = new AbortController();
  const signal = AbortSignal.any([scope.signal, attempt.signal]);
  const idle = watchIdle(scope.clock, modelIdleMs, () =>
    attempt.abort(new StalledError(modelIdleMs)),
  );
  try {
    const asked = withLifeSigns(idle.touch, () => askModel(asking, isRest, signal));
    const stream = await abortable(asked, signal);
    await readStream(stream, answer, { signal, onPart: idle.touch, settled: scope.settled });
    return undefined;
  } catch (error) {
    scope.signal.throwIfAborted();
    if (error instanceof LogUnwrittenError) throw error.cause;
    return classifyError(
      attempt.signal.aborted ? attempt.signal.reason : error,
      model.providerName ?? model.id,
      record.committed,
      model.hasAddress,
    );
  } finally {
    idle.stop();
    // Releases the connection; everything complete has been read.
    attempt.abort();
    budget.usage = addUsage(budget.usage, record.usage);
  }
}
