/** What model calls cost, and how much of it is allowed in a month. Amounts of money are in US dollars. */

/** What a budget can belong to. */
export type BudgetKind = "person" | "team" | "project";

/** Which model calls are wanted. What is absent is not looked at. */
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

/** The calls of one person to one model in one project. Names are absent for what was removed. */
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
  /** When it starts anew, in milliseconds since 1970. */
  until: number;
}
