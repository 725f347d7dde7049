import "./quiet.ts";
import { generateText } from "ai";
import { classifyError } from "./errors/classify.ts";
import type { Model } from "../ports/model.ts";
import type { ModelProblem } from "./registry.ts";

const ANSWER_MS = 30_000;
/** The minimum that every provider accepts. */
const TOKENS = 16;

/**
 * Asks a model for one word.
 * @returns what is wrong, or undefined if it answered
 */
export async function testModel(model: Model, provider: string): Promise<ModelProblem | undefined> {
  const limit = AbortSignal.timeout(ANSWER_MS);
  try {
    await generateText({
      model: model.languageModel,
      prompt: "Answer with the word ok.",
      maxOutputTokens: TOKENS,
      maxRetries: 0,
      abortSignal: limit,
    });
    return undefined;
  } catch (error) {
    if (limit.aborted)
      return {
        code: "stalled",
        message: `${provider} did not answer within ${ANSWER_MS / 1000} seconds.`,
      };
    const { code, message } = classifyError(error, provider, false, model.hasAddress);
    return { code, message };
  }
}
