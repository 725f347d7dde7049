import type { Limits } from "@treadle/agent";
import type { Budget, Usage } from "@treadle/protocol";

/** Converts a person's budget to the limits of the next run. */
export function limitsOf(budget: Budget | undefined, used: Usage): Partial<Limits> {
  if (!budget) return {};
  const { minutes, ...turn } = budget.turn;
  return {
    ...turn,
    ...(minutes === undefined ? {} : { ms: minutes * 60_000 }),
    project: {
      ...budget.project,
      used: { tokens: used.inputTokens + used.outputTokens, costUsd: used.costUsd ?? 0 },
    },
  };
}
