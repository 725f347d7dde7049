import { sql, type Kysely } from "kysely";

/** Requests that a second person has to approve, the rules that require them, and standing approvals. */
export async function up(db: Kysely<unknown>): Promise<void> {
  const { schema } = db;
  await schema
    .createTable("reviews")
    .addColumn("id", "text", (column) => column.primaryKey())
    .addColumn("project", "text", (column) => column.notNull())
    .addColumn("kind", "text", (column) => column.notNull())
    .addColumn("subject", "text", (column) => column.notNull())
    .addColumn("state", "text", (column) => column.notNull())
    .addColumn("asked_by", "text", (column) => column.notNull())
    .addColumn("asked_at", "bigint", (column) => column.notNull())
    .addColumn("answered_by", "text")
    .addColumn("details", "text", (column) => column.notNull())
    .execute();
  await schema
    .createIndex("reviews_by_project")
    .on("reviews")
    .columns(["project", "asked_at"])
    .execute();
  await schema.createIndex("reviews_by_state").on("reviews").columns(["state", "asked_at"]).execute(); // prettier-ignore
  // Of two identical requests made at the same time, only one is stored.
  await sql`create unique index reviews_open on reviews (project, kind, subject)
    where state in ('requested', 'approved')`.execute(db);
  await schema
    .createTable("review_rules")
    .addColumn("team", "text", (column) => column.notNull())
    .addColumn("kind", "text", (column) => column.notNull())
    .addPrimaryKeyConstraint("review_rules_key", ["team", "kind"])
    .execute();
  await schema
    .createTable("standing_approvals")
    .addColumn("project", "text", (column) => column.notNull())
    .addColumn("kind", "text", (column) => column.notNull())
    .addColumn("given_by", "text", (column) => column.notNull())
    .addColumn("given_at", "bigint", (column) => column.notNull())
    .addPrimaryKeyConstraint("standing_approvals_key", ["project", "kind", "given_by"])
    .execute();
}
