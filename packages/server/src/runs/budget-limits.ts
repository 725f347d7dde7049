import type { Limits } from "@treadle/agent";
import type { Budget, Usage } from "@treadle/protocol";

/** The part of a usage that counts against a budget. */
export const amountOf = ({ inputTokens, outputTokens, costUsd = 0 }: Usage) => ({
  tokens: inputTokens + outputTokens,
  costUsd,
});

/**
 * Converts a person's budget to the limits of the next run.
 * @param used what counts against the project's budget besides the run; called at each step, since parallel
 * requests may use more meanwhile
 */
export function limitsOf(
  budget: Budget | undefined,
  used: () => { tokens: number; costUsd: number },
): Partial<Limits> {
  if (!budget) return {};
  const { minutes, ...turn } = budget.turn;
  return {
    ...turn,
    ...(minutes === undefined ? {} : { ms: minutes * 60_000 }),
    project: {
      ...budget.project,
      used: {
        get tokens() {
          return used().tokens;
        },
        get costUsd() {
          return used().costUsd;
        },
      },
    },
  };
}
