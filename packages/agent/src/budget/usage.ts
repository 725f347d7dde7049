import type { Usage } from "@treadle/protocol";
import type { LanguageModelUsage } from "ai";
import type { Model } from "../ports/model.ts";

export function noUsage(): Usage {
  return { inputTokens: 0, cachedInputTokens: 0, outputTokens: 0 };
}

/** What one model call used; its cost only where the model's price is known. */
export function usageOf(
  { inputTokens = 0, inputTokenDetails, outputTokens = 0 }: LanguageModelUsage,
  price: Model["price"],
): Usage {
  const cachedInputTokens = inputTokenDetails?.cacheReadTokens ?? 0;
  const usage: Usage = { inputTokens, cachedInputTokens, outputTokens };
  if (price)
    usage.costUsd =
      ((inputTokens - cachedInputTokens) * price.input +
        cachedInputTokens * price.cachedInput +
        outputTokens * price.output) /
      1_000_000;
  return usage;
}
