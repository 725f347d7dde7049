import type { LanguageModelV4StreamPart, LanguageModelV4Usage } from "@ai-sdk/provider";
import type { Usage } from "@treadle/protocol";
import { wrapLanguageModel } from "ai";
import { usageOf } from "../budget/budget.ts";
import type { Model } from "../ports/model.ts";

/**
 * The same model; what each answer used is passed to `onUsage` before the answer ends. `onUsage` must not reject. An
 * answer that was cut off reports no usage.
 */
export function meterModel(model: Model, onUsage: (usage: Usage) => Promise<void>): Model {
  const report = (used: LanguageModelV4Usage) => onUsage(usageOf(plainUsage(used), model.price));
  const languageModel = wrapLanguageModel({
    model: model.languageModel,
    middleware: {
      specificationVersion: "v4",
      async wrapGenerate({ doGenerate }) {
        const result = await doGenerate();
        await report(result.usage);
        return result;
      },
      async wrapStream({ doStream }) {
        const { stream, ...rest } = await doStream();
        const metered = new TransformStream<LanguageModelV4StreamPart, LanguageModelV4StreamPart>({
          async transform(part, controller) {
            if (part.type === "finish") await report(part.usage);
            controller.enqueue(part);
          },
        });
        return { ...rest, stream: stream.pipeThrough(metered) };
      },
    },
  });
  return { ...model, languageModel };
}

/** Converts usage to the form that the AI SDK reports. */
const plainUsage = ({ inputTokens, outputTokens }: LanguageModelV4Usage) => ({
  inputTokens: inputTokens.total,
  inputTokenDetails: {
    noCacheTokens: inputTokens.noCache,
    cacheReadTokens: inputTokens.cacheRead,
    cacheWriteTokens: inputTokens.cacheWrite,
  },
  outputTokens: outputTokens.total,
});
