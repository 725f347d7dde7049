import { sql, type Kysely } from "kysely";

/**
 * A secret belongs to the preview, to the published app or to both: existing ones belong to both.
 */
export async function up(db: Kysely<unknown>): Promise<void> {
  await db.schema
    .createTable("secrets_of_environments")
    .addColumn("project", "text", (column) =>
      column.notNull().references("projects.id").onDelete("cascade"),
    )
    .addColumn("name", "text", (column) => column.notNull())
    .addColumn("environment", "text", (column) => column.notNull())
    .addColumn("host", "text", (column) => column.notNull())
    .addColumn("sealed", "text", (column) => column.notNull())
    .addPrimaryKeyConstraint("secrets_of_environments_key", ["project", "name", "environment"])
    .execute();
  await sql`
    insert into secrets_of_environments (project, name, environment, host, sealed)
    select project, name, 'both', host, sealed from secrets
  `.execute(db);
  await db.schema.dropTable("secrets").execute();
  await db.schema.alterTable("secrets_of_environments").renameTo("secrets").execute();
}
