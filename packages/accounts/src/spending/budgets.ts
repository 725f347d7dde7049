import type { BudgetKind, MonthBudget, MonthBudgetState } from "@treadle/protocol";
import type { AccountTables } from "@treadle/store";
import type { Kysely } from "kysely";
import { monthOf, type Amount, type Purpose, type Spending } from "./spending.ts";

/** The subject of the budget that applies to each person, team or project without a budget of its own. */
export const EVERYBODY = "*";
/** The share of a budget from which on people are warned. */
const WARNING_SHARE = 0.8;

/** Monthly budgets of people, teams and projects. */
export interface Budgets {
  list(): Promise<MonthBudget[]>;
  /** Sets a budget; without an amount it is removed. */
  set(budget: MonthBudget): Promise<void>;
  /** The budgets that apply to a purpose, with what is used of each. */
  readFor(purpose: Purpose): Promise<MonthBudgetState[]>;
}

export function createBudgets(
  db: Kysely<AccountTables>,
  spending: Spending,
  now: () => number,
): Budgets {
  const list = async (): Promise<MonthBudget[]> => {
    const rows = await db.selectFrom("budgets").selectAll().execute();
    return rows.map(({ kind, subject, cost_usd: costUsd, tokens }) => ({
      kind,
      subject,
      ...(costUsd === null ? {} : { costUsd }),
      ...(tokens === null ? {} : { tokens }),
    }));
  };
  return {
    list,
    async set({ kind, subject, costUsd, tokens }) {
      if (costUsd === undefined && tokens === undefined) {
        await db
          .deleteFrom("budgets")
          .where("kind", "=", kind)
          .where("subject", "=", subject)
          .execute();
        return;
      }
      const amounts = { cost_usd: costUsd ?? null, tokens: tokens ?? null };
      await db
        .insertInto("budgets")
        .values({ kind, subject, ...amounts })
        .onConflict((conflict) => conflict.columns(["kind", "subject"]).doUpdateSet(amounts))
        .execute();
    },
    async readFor(purpose) {
      const budgets = await list();
      const { to: until } = monthOf(now());
      const states: MonthBudgetState[] = [];
      for (const kind of ["person", "team", "project"] as const) {
        const subject = purpose[kind];
        if (subject === undefined) continue;
        const budget = find(budgets, kind, subject) ?? find(budgets, kind, EVERYBODY);
        if (!budget) continue;
        const used = await spending.thisMonth(kind, subject);
        const name = await nameOf(db, kind, subject);
        states.push({ ...budget, subject, name, used, until, state: stateOf(budget, used) });
      }
      return states;
    },
  };
}

const find = (budgets: readonly MonthBudget[], kind: BudgetKind, subject: string) =>
  budgets.find((budget) => budget.kind === kind && budget.subject === subject);

async function nameOf(
  db: Kysely<AccountTables>,
  kind: BudgetKind,
  subject: string,
): Promise<string> {
  // Projects are not in these tables, and their budgets say "the project".
  if (kind === "project") return "";
  const table = kind === "person" ? "people" : "teams";
  const row = await db
    .selectFrom(table)
    .select("name")
    .where("id", "=", subject)
    .executeTakeFirst();
  return row?.name ?? subject;
}

/** The state of a budget, by whichever of its limits is nearer. */
function stateOf({ costUsd, tokens }: MonthBudget, used: Amount): MonthBudgetState["state"] {
  const share = (amount: number, limit: number | undefined) =>
    limit === undefined ? 0 : limit === 0 ? 1 : amount / limit;
  const nearest = Math.max(share(used.costUsd, costUsd), share(used.tokens, tokens));
  return nearest >= 1 ? "used-up" : nearest >= WARNING_SHARE ? "warning" : "open";
}
