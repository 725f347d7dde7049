import type { Usage } from "../log/types.ts";

/** Nothing was used. */
export const NO_USAGE: Usage = { inputTokens: 0, cachedInputTokens: 0, outputTokens: 0 };

/** The sum of both; with a cost if either has one. */
export function addUsage(a: Usage, b: Usage): Usage {
  const sum: Usage = {
    inputTokens: a.inputTokens + b.inputTokens,
    cachedInputTokens: a.cachedInputTokens + b.cachedInputTokens,
    outputTokens: a.outputTokens + b.outputTokens,
  };
  if (a.costUsd !== undefined || b.costUsd !== undefined)
    sum.costUsd = (a.costUsd ?? 0) + (b.costUsd ?? 0);
  return sum;
}
