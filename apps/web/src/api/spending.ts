import type { MonthBudget, MonthBudgetState, SpendingFilter, SpendingRow } from "@treadle/protocol";
import { getJson, queryText, sendJson } from "./request.ts";

export const BUDGETS_KEY = ["budgets"] as const;

export const readSpending = (filter: SpendingFilter, signal?: AbortSignal) =>
  getJson<{ rows: SpendingRow[] }>(`/api/spending?${queryText(filter)}`, signal);
/** The address of the single calls as CSV. */
export const spendingExport = (filter: SpendingFilter) =>
  `/api/spending/export?${queryText(filter)}`;
export const readBudgets = (signal?: AbortSignal) =>
  getJson<{ budgets: MonthBudget[] }>("/api/budgets", signal);
/** Sets a budget; without an amount it is removed. */
export const setBudget = ({ kind, subject, ...amounts }: MonthBudget) =>
  sendJson("PUT", `/api/budgets/${kind}/${encodeURIComponent(subject)}`, amounts);
/** The budgets that apply to whoever asks, in a project if one is given. */
export const readOwnBudgets = (project?: string, signal?: AbortSignal) =>
  getJson<{ budgets: MonthBudgetState[] }>(`/api/budgets/mine?${queryText({ project })}`, signal);
