import type { MonthBudget, MonthBudgetState, SpendingFilter, SpendingRow } from "@treadle/protocol";
import { getJson, queryText, sendJson } from "./request.ts";

export const BUDGETS_KEY = ["budgets"] as const;

export const readSpending = (filter: SpendingFilter, signal?: AbortSignal) =>
  getJson<{ rows: SpendingRow[] }>(`/api/spending?${queryText(filter)}`, signal);
/** The address for downloading the single model calls as CSV. */
export const spendingExport = (filter: SpendingFilter) =>
  `/api/spending/export?${queryText(filter)}`;
export const readBudgets = (signal?: AbortSignal) =>
  getJson<{ budgets: MonthBudget[] }>("/api/budgets", signal);
/** Sets a monthly budget; without an amount the budget is removed. */
export const setBudget = ({ kind, subject, ...amounts }: MonthBudget) =>
  sendJson("PUT", `/api/budgets/${kind}/${encodeURIComponent(subject)}`, amounts);
/** The budgets that apply to the person, and in the project if one is given. */
export const readOwnBudgets = (project?: string, signal?: AbortSignal) =>
  getJson<{ budgets: MonthBudgetState[] }>(`/api/budgets/mine?${queryText({ project })}`, signal);
