import { sql, type Kysely } from "kysely";

/** The sums of each month's model calls by person, team and project, which budgets are compared with. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await db.schema
    .createTable("month_sums")
    .addColumn("kind", "text", (column) => column.notNull())
    .addColumn("subject", "text", (column) => column.notNull())
    .addColumn("month", "bigint", (column) => column.notNull())
    .addColumn("tokens", "bigint", (column) => column.notNull())
    .addColumn("cost_usd", "double precision", (column) => column.notNull())
    .addPrimaryKeyConstraint("month_sums_key", ["kind", "subject", "month"])
    .execute();
  const { rows } = await sql<{ first: number | null; last: number | null }>`
    select min(at) as first, max(at) as last from spending
  `.execute(db);
  const [first, last] = [Number(rows[0]?.first ?? 0), Number(rows[0]?.last ?? -1)];
  // The databases have no common function for the month of a time.
  for (let from = monthOf(first, 0); from <= last; from = monthOf(from, 1))
    for (const kind of ["person", "team", "project"])
      await sql`
        insert into month_sums (kind, subject, month, tokens, cost_usd)
        select ${sql.lit(kind)}, ${sql.ref(kind)}, ${sql.lit(from)},
          sum(input_tokens + output_tokens), coalesce(sum(cost_usd), 0)
        from spending
        where at >= ${sql.lit(from)} and at < ${sql.lit(monthOf(from, 1))} and ${sql.ref(kind)} is not null
        group by ${sql.ref(kind)}
      `.execute(db);
}

/** The first millisecond of the month of a time in UTC, or of a month after it. */
function monthOf(at: number, after: number): number {
  const date = new Date(at);
  return Date.UTC(date.getUTCFullYear(), date.getUTCMonth() + after);
}
