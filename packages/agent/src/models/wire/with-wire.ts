import type { LanguageModelV4 } from "@ai-sdk/provider";
import { wrapLanguageModel } from "ai";
import { cleanPrompt } from "./clean-prompt.ts";
import { createStreamCleaner } from "./clean-stream.ts";
import { createAnswerLimit } from "./limit-answer.ts";
import { readThrough } from "./read-through.ts";
import { cleanValue } from "../../text/json-value.ts";

const wired = new WeakSet<LanguageModelV4>();

/**
 * Wraps a model so that its requests have a form that providers accept, and its answers need no further checks. A model
 * that is already wrapped is returned unchanged.
 */
export function withWire(model: LanguageModelV4): LanguageModelV4 {
  if (wired.has(model)) return model;
  const bordered = wrapLanguageModel({
    model,
    middleware: {
      specificationVersion: "v4",
      transformParams: async ({ params }) => ({
        ...params,
        prompt: cleanPrompt(params.prompt, model.provider),
        ...(params.tools && { tools: cleanValue(params.tools) }),
      }),
      async wrapStream({ doStream }) {
        const { stream, ...rest } = await doStream();
        const limit = createAnswerLimit();
        const clean = createStreamCleaner();
        const take: typeof limit = (part, put) => limit(part, (passed) => clean(passed, put));
        return { ...rest, stream: readThrough(stream, take) };
      },
    },
  });
  wired.add(bordered);
  return bordered;
}
