/** What model calls cost, and how much of it is allowed in a month. Amounts of money are in US dollars. */

/** The kinds of owners of a budget. */
export type BudgetKind = "person" | "team" | "project";

/** A filter for model calls; absent fields match every call. */
export interface SpendingFilter {
  /** The first moment and the first one after the end, in milliseconds since 1970. */
  from?: number | undefined;
  to?: number | undefined;
  person?: string | undefined;
  team?: string | undefined;
  project?: string | undefined;
  /** `provider:model`. */
  model?: string | undefined;
}

/** The calls of one person to one model in one project. Names of removed people and projects are absent. */
export interface SpendingRow {
  person: string;
  personName?: string;
  team?: string;
  teamName?: string;
  project?: string;
  projectName?: string;
  model: string;
  calls: number;
  /** Includes the cached ones. */
  inputTokens: number;
  cachedInputTokens: number;
  outputTokens: number;
  /** Absent if no call had a known price. */
  costUsd?: number;
  /** Calls without a known price. */
  unpriced: number;
}

/** A budget of a calendar month in UTC. Without an amount there is no limit. */
export interface MonthBudget {
  kind: BudgetKind;
  /** An id; `*` for everybody of that kind without a budget of their own. */
  subject: string;
  costUsd?: number | undefined;
  /** Input and output. */
  tokens?: number | undefined;
}

/** A budget that applies, with what is used of it. */
export interface MonthBudgetState extends MonthBudget {
  /** The name of the person or team; empty for a project. */
  name: string;
  used: { costUsd: number; tokens: number };
  /** `warning`: little is left; `used-up`: models are not asked any more. */
  state: "open" | "warning" | "used-up";
  /** The time at which the budget is reset, in milliseconds since 1970. */
  until: number;
}
