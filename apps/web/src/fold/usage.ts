import type { Turn } from "./types.ts";

export const NO_USAGE = { inputTokens: 0, cachedInputTokens: 0, outputTokens: 0 };

export function addUsage(a: Turn["usage"], b: Turn["usage"]): Turn["usage"] {
  const cost =
    a.costUsd === undefined && b.costUsd === undefined
      ? {}
      : { costUsd: (a.costUsd ?? 0) + (b.costUsd ?? 0) };
  return {
    inputTokens: a.inputTokens + b.inputTokens,
    cachedInputTokens: a.cachedInputTokens + b.cachedInputTokens,
    outputTokens: a.outputTokens + b.outputTokens,
    ...cost,
  };
}
