import type { BudgetKind, SpendingFilter, SpendingRow, Usage } from "@treadle/protocol";
import type { AccountTables } from "@treadle/store";
import { sql, type Kysely, type SelectQueryBuilder } from "kysely";
import { newId } from "../secret.ts";

/** The person for whom a model is called, and the team, project and run to which the call belongs. */
export interface Purpose {
  person: string;
  team?: string | undefined;
  project?: string | undefined;
  run?: string | undefined;
}

/** One model call. */
export interface SpendingEntry extends Purpose {
  id: string;
  /** Milliseconds since 1970. */
  at: number;
  model: string;
  usage: Usage;
}

/** What was used in a month. Calls without a known price only count in the tokens. */
export interface Amount {
  tokens: number;
  costUsd: number;
}

/** The ledger of model calls. It is only appended to. */
export interface Spending {
  record(call: Purpose & { model: string; usage: Usage }): Promise<void>;
  /** What a person, team or project used in the current month, from a row that `record` updates. */
  thisMonth(kind: BudgetKind, subject: string): Promise<Amount>;
  /** Sums by person, team, project and model: the highest cost first and, with equal costs, the most tokens. */
  sums(filter: SpendingFilter): Promise<Sum[]>;
  /** Single calls, oldest first, read in batches. */
  entries(filter: SpendingFilter): AsyncGenerator<SpendingEntry>;
}

/** A sum without the names of its person, team and project. */
export type Sum = Omit<SpendingRow, "personName" | "teamName" | "projectName">;

/** Number of calls that are read from the database at once. */
const BATCH = 1_000;

/** The month of a moment in UTC: its first millisecond, and the first one after it. */
export function monthOf(at: number): { from: number; to: number } {
  const date = new Date(at);
  const [year, month] = [date.getUTCFullYear(), date.getUTCMonth()];
  return { from: Date.UTC(year, month), to: Date.UTC(year, month + 1) };
}

/** A column's sum as a number, since PostgreSQL would return it as a string. */
const total = (column: string) =>
  sql<number>`cast(coalesce(sum(${sql.ref(column)}), 0) as double precision)`;

export function createSpending(db: Kysely<AccountTables>, now: () => number): Spending {
  function matching<Row>(
    query: SelectQueryBuilder<AccountTables, "spending", Row>,
    { from, to, ...equal }: SpendingFilter,
  ) {
    let narrowed = query;
    if (from !== undefined) narrowed = narrowed.where("at", ">=", from);
    if (to !== undefined) narrowed = narrowed.where("at", "<", to);
    for (const column of ["person", "team", "project", "model"] as const) {
      const value = equal[column];
      if (value !== undefined) narrowed = narrowed.where(column, "=", value);
    }
    return narrowed;
  }
  return {
    async record({ person, team, project, run, model, usage }) {
      const at = now();
      const month = monthOf(at).from;
      const tokens = usage.inputTokens + usage.outputTokens;
      const costUsd = usage.costUsd ?? 0;
      await db.transaction().execute(async (transaction) => {
        await transaction
          .insertInto("spending")
          .values({
            id: newId(),
            at,
            person,
            team: team ?? null,
            project: project ?? null,
            run: run ?? null,
            model,
            input_tokens: usage.inputTokens,
            cached_tokens: usage.cachedInputTokens,
            output_tokens: usage.outputTokens,
            cost_usd: usage.costUsd ?? null,
          })
          .execute();
        // Always in this order, so that no two transactions wait for each other's rows.
        for (const [kind, subject] of Object.entries({ person, team, project }))
          if (subject !== undefined)
            await transaction
              .insertInto("month_sums")
              .values({ kind: kind as BudgetKind, subject, month, tokens, cost_usd: costUsd })
              .onConflict((conflict) =>
                conflict.columns(["kind", "subject", "month"]).doUpdateSet(({ ref }) => ({
                  tokens: sql<number>`${ref("month_sums.tokens")} + ${tokens}`,
                  cost_usd: sql<number>`${ref("month_sums.cost_usd")} + ${costUsd}`,
                })),
              )
              .execute();
      });
    },
    async thisMonth(kind, subject) {
      const row = await db
        .selectFrom("month_sums")
        .select(["tokens", "cost_usd"])
        .where("kind", "=", kind)
        .where("subject", "=", subject)
        .where("month", "=", monthOf(now()).from)
        .executeTakeFirst();
      return { tokens: row?.tokens ?? 0, costUsd: row?.cost_usd ?? 0 };
    },
    async sums(filter) {
      const rows = await matching(
        db
          .selectFrom("spending")
          .select([
            "person",
            "team",
            "project",
            "model",
            sql<number>`cast(count(*) as double precision)`.as("calls"),
            sql<number>`cast(count(cost_usd) as double precision)`.as("priced"),
            total("input_tokens").as("input"),
            total("cached_tokens").as("cached"),
            total("output_tokens").as("output"),
            total("cost_usd").as("costUsd"),
          ]),
        filter,
      )
        .groupBy(["person", "team", "project", "model"])
        .execute();
      return rows
        .toSorted((a, b) => b.costUsd - a.costUsd || b.input + b.output - (a.input + a.output))
        .map(({ team, project, priced, costUsd, input, cached, output, ...row }) => ({
          ...row,
          ...(team === null ? {} : { team }),
          ...(project === null ? {} : { project }),
          inputTokens: input,
          cachedInputTokens: cached,
          outputTokens: output,
          ...(priced === 0 ? {} : { costUsd }),
          unpriced: row.calls - priced,
        }));
    },
    async *entries(filter) {
      let after: { at: number; id: string } | undefined;
      do {
        let query = matching(db.selectFrom("spending").selectAll(), filter)
          .orderBy("at")
          .orderBy("id")
          .limit(BATCH);
        const cursor = after;
        if (cursor)
          query = query.where(({ eb, or, and }) =>
            or([
              eb("at", ">", cursor.at),
              and([eb("at", "=", cursor.at), eb("id", ">", cursor.id)]),
            ]),
          );
        const rows = await query.execute();
        for (const row of rows) yield entryOf(row);
        const last = rows.at(-1);
        after = rows.length < BATCH ? undefined : last;
      } while (after);
    },
  };
}

const entryOf = (row: AccountTables["spending"]): SpendingEntry => ({
  id: row.id,
  at: row.at,
  person: row.person,
  team: row.team ?? undefined,
  project: row.project ?? undefined,
  run: row.run ?? undefined,
  model: row.model,
  usage: {
    inputTokens: row.input_tokens,
    cachedInputTokens: row.cached_tokens,
    outputTokens: row.output_tokens,
    ...(row.cost_usd === null ? {} : { costUsd: row.cost_usd }),
  },
});
