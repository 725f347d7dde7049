import type { Kysely } from "kysely";

/** The packages that the projects of a team may install because somebody approved them. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await db.schema
    .createTable("team_packages")
    .addColumn("team", "text", (column) => column.notNull())
    .addColumn("name", "text", (column) => column.notNull())
    .addColumn("version", "text", (column) => column.notNull())
    .addColumn("review", "text", (column) => column.notNull())
    .addColumn("approved_at", "bigint", (column) => column.notNull())
    .addPrimaryKeyConstraint("team_packages_key", ["team", "name"])
    .execute();
}
