import { sql, type Kysely } from "kysely";
import type { SqlDialect } from "./sql-dialect.ts";

/** Moves long texts of ended runs beside the log; logs that were compacted before are compacted once more. */
export async function up(db: Kysely<unknown>, dialect: SqlDialect): Promise<void> {
  await db.schema
    .createTable("log_bodies")
    .addColumn("project", "text", (column) =>
      column.notNull().references("projects.id").onDelete("cascade"),
    )
    .addColumn("seq", "bigint", (column) => column.notNull())
    .addColumn("call", "text", (column) => column.notNull())
    .addColumn("body", dialect.bytes, (column) => column.notNull())
    .addPrimaryKeyConstraint("log_bodies_key", ["project", "seq"])
    .execute();
  await db.schema
    .createIndex("log_bodies_of_call")
    .on("log_bodies")
    .columns(["project", "call"])
    .execute();
  await sql`update projects set compacted = 0`.execute(db);
}
