import type { Kysely } from "kysely";

/** The usage and cost of model calls by person, team and project, and the monthly budgets. */
export async function up(db: Kysely<unknown>): Promise<void> {
  const { schema } = db;
  await schema
    .createTable("spending")
    .addColumn("id", "text", (column) => column.primaryKey())
    .addColumn("at", "bigint", (column) => column.notNull())
    .addColumn("person", "text", (column) => column.notNull())
    .addColumn("team", "text")
    .addColumn("project", "text")
    .addColumn("run", "text")
    .addColumn("model", "text", (column) => column.notNull())
    .addColumn("input_tokens", "bigint", (column) => column.notNull())
    .addColumn("cached_tokens", "bigint", (column) => column.notNull())
    .addColumn("output_tokens", "bigint", (column) => column.notNull())
    .addColumn("cost_usd", "double precision")
    .execute();
  await schema.createIndex("spending_by_time").on("spending").column("at").execute();
  for (const subject of ["person", "team", "project"])
    await schema
      .createIndex(`spending_by_${subject}`)
      .on("spending")
      .columns([subject, "at"])
      .execute();
  await schema
    .createTable("budgets")
    .addColumn("kind", "text", (column) => column.notNull())
    .addColumn("subject", "text", (column) => column.notNull())
    .addColumn("cost_usd", "double precision")
    .addColumn("tokens", "bigint")
    .addPrimaryKeyConstraint("budgets_key", ["kind", "subject"])
    .execute();
}
