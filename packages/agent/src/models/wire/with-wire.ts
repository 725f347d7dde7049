import type { LanguageModelV4 } from "@ai-sdk/provider";
import { wrapLanguageModel } from "ai";
import { cleanPrompt } from "./clean-prompt.ts";
import { cleanStream } from "./clean-stream.ts";
import { limitAnswer } from "./limit-answer.ts";
import { cleanValue } from "../../text/json-value.ts";

const wired = new WeakSet<LanguageModelV4>();

/**
 * The model with a border around it: nothing leaves for its provider that providers refuse for its form, and nothing
 * comes from it that the rest of Treadle would have to guard against. A model that has the border already is returned
 * as it is.
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
        return { ...rest, stream: stream.pipeThrough(limitAnswer()).pipeThrough(cleanStream()) };
      },
    },
  });
  wired.add(bordered);
  return bordered;
}
