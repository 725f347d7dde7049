import { sql, type Kysely } from "kysely";
import type { SqlDialect } from "./sql-dialect.ts";

/** The database assigns the numbers of a log, so that several processes can append to it. */
export async function up(db: Kysely<unknown>, dialect: SqlDialect): Promise<void> {
  await db.schema
    .createTable("log_heads")
    .addColumn("project", "text", (column) =>
      column.primaryKey().references("projects.id").onDelete("cascade"),
    )
    .addColumn("head", "bigint", (column) => column.notNull())
    .execute();
  await sql`
    insert into log_heads (project, head) select project, max(seq) from log group by project
  `.execute(db);
  if (dialect.name === "sqlite") return;
  // Each process numbers its groups of entries, so that one whose outcome it did not receive is not inserted twice.
  await db.schema
    .createTable("log_writers")
    .addColumn("writer", "text", (column) => column.primaryKey())
    .addColumn("last_group", "bigint", (column) => column.notNull())
    .addColumn("at", "bigint", (column) => column.notNull())
    .execute();
}
