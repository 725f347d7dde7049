import { asMessage, sentence, type Sentence } from "@treadle/protocol/sentences";
import type { Usage } from "@treadle/protocol";
import type { Limits } from "../ports/limits.ts";
import type { RunError } from "../ports/run-error.ts";
import type { LanguageModelUsage } from "ai";
import type { Model } from "../ports/model.ts";

/** A run's limits and usage. */
export interface RunBudget {
  readonly limits: Limits;
  /** Milliseconds since 1970, adjusted for the time that a resumed run has waited. */
  readonly startedAt: number;
  /** Model calls so far. */
  steps: number;
  usage: Usage;
  /** Which budget beside those of `limits` is used up; absent: there are none. */
  otherReached?: Model["budgetReached"] | undefined;
}

/** The error that names the first used-up budget of the run, or undefined if none is. */
export function budgetReached(
  { limits, steps, usage, startedAt, otherReached }: RunBudget,
  now: number,
): RunError | undefined {
  if (steps >= limits.steps) return reached(sentence("budget-steps", { steps }));
  if (limits.costUsd !== undefined && (usage.costUsd ?? 0) >= limits.costUsd)
    return reached(
      sentence("budget-money", {
        used: dollars(usage.costUsd ?? 0),
        limit: dollars(limits.costUsd),
      }),
    );
  const tokens = usage.inputTokens + usage.outputTokens;
  if (limits.tokens !== undefined && tokens >= limits.tokens)
    return reached(sentence("budget-tokens", { used: tokens, limit: limits.tokens }));
  const project = projectBudgetReached(limits.project, usage);
  if (project) return project;
  const other = otherReached?.();
  if (other) return reached(other);
  if (now - startedAt >= limits.ms) return deadline(limits.ms);
  return undefined;
}

/**
 * The error for the project's budget if this run's usage, added to that of earlier runs, reaches it; undefined
 * otherwise.
 */
export function projectBudgetReached(
  project: Limits["project"],
  { inputTokens, outputTokens, costUsd = 0 }: Usage,
): RunError | undefined {
  if (!project) return undefined;
  if (project.costUsd !== undefined && project.used.costUsd + costUsd >= project.costUsd)
    return reached(sentence("project-budget-money", { limit: dollars(project.costUsd) }));
  if (
    project.tokens !== undefined &&
    project.used.tokens + inputTokens + outputTokens >= project.tokens
  )
    return reached(sentence("project-budget-tokens", { limit: project.tokens }));
  return undefined;
}

const reached = (what: Sentence): RunError => ({
  code: "budget",
  ...asMessage(what),
  canContinue: true,
});

/** The error for a run that reached its time limit. @param ms the time limit, in milliseconds */
export function deadline(ms: number): RunError {
  const rounded = (amount: number) => Number(amount.toFixed(1));
  return reached(
    ms < 60_000
      ? sentence("budget-seconds", { seconds: rounded(ms / 1000) })
      : sentence("budget-minutes", { minutes: rounded(ms / 60_000) }),
  );
}

function dollars(amount: number): string {
  return `$${amount.toFixed(amount < 0.1 ? 4 : 2)}`;
}

export function noUsage(): Usage {
  return { inputTokens: 0, cachedInputTokens: 0, outputTokens: 0 };
}

/** The usage of one model call. Without the model's price, the cost is absent. */
export function usageOf(
  {
    inputTokens = 0,
    inputTokenDetails,
    outputTokens = 0,
  }: Pick<LanguageModelUsage, "inputTokens" | "inputTokenDetails" | "outputTokens">,
  price: Model["price"],
): Usage {
  const cachedInputTokens = inputTokenDetails?.cacheReadTokens ?? 0;
  const writtenTokens = inputTokenDetails?.cacheWriteTokens ?? 0;
  const usage: Usage = { inputTokens, cachedInputTokens, outputTokens };
  if (price)
    usage.costUsd =
      ((inputTokens - cachedInputTokens - writtenTokens) * price.input +
        cachedInputTokens * price.cachedInput +
        writtenTokens * price.cacheWrite +
        outputTokens * price.output) /
      1_000_000;
  return usage;
}
