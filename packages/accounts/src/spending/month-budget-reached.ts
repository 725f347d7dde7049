import type { MonthBudgetState } from "@treadle/protocol";
import { sentence, type Sentence } from "@treadle/protocol/sentences";

const CODES = {
  person: "month-budget-person",
  team: "month-budget-team",
  project: "month-budget-project",
} as const;

/** A sentence that says whose budget is used up, and until when; undefined if none is. */
export function monthBudgetReached(states: readonly MonthBudgetState[]): Sentence | undefined {
  const reached = states.find(({ state }) => state === "used-up");
  if (!reached) return undefined;
  const { kind, name, costUsd, tokens = 0, used } = reached;
  const isMoney = costUsd !== undefined && used.costUsd >= costUsd;
  return sentence(CODES[kind], {
    name,
    limit: isMoney ? `$${costUsd.toFixed(2)}` : sentence("token-count", { count: tokens }),
    until: new Date(reached.until).toISOString().slice(0, 10),
  });
}
