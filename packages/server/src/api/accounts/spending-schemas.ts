import { z } from "@hono/zod-openapi";
import type * as P from "@treadle/protocol";

export const BudgetKind = z.enum(["person", "team", "project"]);

export const Amounts = z.object({
  costUsd: z.number().min(0).max(1e9).optional(),
  tokens: z.number().int().min(0).max(1e15).optional(),
});

export const StoredBudget = Amounts.extend({ kind: BudgetKind, subject: z.string() }).openapi(
  "MonthBudget",
) satisfies z.ZodType<P.MonthBudget>;

export const MonthBudgetState = StoredBudget.extend({
  name: z.string(),
  used: z.object({ costUsd: z.number(), tokens: z.number() }),
  state: z.enum(["open", "warning", "used-up"]),
  until: z.number(),
}).openapi("MonthBudgetState") satisfies z.ZodType<P.MonthBudgetState>;

export const Spent = z
  .object({
    person: z.string(),
    personName: z.string().optional(),
    team: z.string().optional(),
    teamName: z.string().optional(),
    project: z.string().optional(),
    projectName: z.string().optional(),
    model: z.string(),
    calls: z.number(),
    inputTokens: z.number(),
    cachedInputTokens: z.number(),
    outputTokens: z.number(),
    costUsd: z.number().optional(),
    unpriced: z.number(),
  })
  .openapi("SpendingRow") satisfies z.ZodType<P.SpendingRow>;
