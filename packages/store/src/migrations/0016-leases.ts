import type { Kysely } from "kysely";

/** Which server owns what, if several servers share a database. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await db.schema
    .createTable("leases")
    .addColumn("name", "text", (column) => column.primaryKey())
    .addColumn("server", "text")
    .addColumn("address", "text")
    .addColumn("epoch", "bigint", (column) => column.notNull())
    .addColumn("ends_at", "bigint", (column) => column.notNull())
    .addColumn("unfinished", "integer", (column) => column.notNull())
    .execute();
}
