import "./quiet.ts";
import { streamText } from "ai";
import { classifyError } from "./errors/classify.ts";
import type { ModelFailure } from "./errors/model-failure.ts";
import { fence } from "../text/fence.ts";
import { prose } from "../text/prose.ts";
import type { Model } from "../ports/model.ts";

const INSTRUCTIONS = prose(new URL("./enhance.md", import.meta.url));

/** Maximum tokens of the new text; includes room for a model that thinks first. */
const TOKENS = 2_000;
/** Time limit between two pieces of the model's answer, in milliseconds. */
const IDLE_MS = 60_000;

/** Thrown if a prompt could not be improved, or code not be completed; `failure` is the reason. */
export class EnhanceError extends Error {
  readonly failure: ModelFailure;
  constructor(failure: ModelFailure) {
    super(failure.message);
    this.name = "EnhanceError";
    this.failure = failure;
  }
}

/**
 * Improves the wording of a prompt, and yields pieces as the model writes them. Makes one model call and changes
 * nothing else. Throws EnhanceError if the model fails, and the signal's reason when aborted.
 */
export async function* enhancePrompt(
  model: Model,
  text: string,
  signal: AbortSignal,
): AsyncGenerator<string> {
  const idle = new AbortController();
  const timer = setTimeout(() => idle.abort(new Error("it did not go on for a minute")), IDLE_MS);
  let begun = false;
  try {
    const { stream } = streamText({
      model: model.languageModel,
      instructions: INSTRUCTIONS,
      prompt: fence("request", text),
      maxOutputTokens: TOKENS,
      maxRetries: 0,
      providerOptions: { openai: { store: false } },
      abortSignal: AbortSignal.any([signal, idle.signal]),
      onError: () => {},
    });
    for await (const part of stream) {
      timer.refresh();
      if (part.type === "error") throw part.error;
      if (part.type === "abort") throw idle.signal.reason ?? signal.reason;
      if (part.type !== "text-delta" || part.text === "") continue;
      begun = true;
      yield part.text;
    }
    signal.throwIfAborted();
    if (!begun) throw new Error("it answered without a word");
  } catch (error) {
    signal.throwIfAborted();
    throw new EnhanceError(
      classifyError(error, model.providerName ?? model.id, begun, model.hasAddress),
    );
  } finally {
    clearTimeout(timer);
  }
}
