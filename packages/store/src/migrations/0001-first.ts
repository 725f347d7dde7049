import type { Kysely } from "kysely";

export async function up(db: Kysely<unknown>): Promise<void> {
  await db.schema
    .createTable("projects")
    .addColumn("id", "text", (column) => column.primaryKey())
    .addColumn("capability", "text", (column) => column.notNull().unique())
    .addColumn("directory", "text")
    .addColumn("updated_at", "bigint", (column) => column.notNull())
    .addColumn("record", "text", (column) => column.notNull())
    .addColumn("compacted", "bigint", (column) => column.notNull().defaultTo(0))
    .execute();
  await db.schema
    .createTable("messages")
    .addColumn("project", "text", (column) =>
      column.notNull().references("projects.id").onDelete("cascade"),
    )
    .addColumn("position", "bigint", (column) => column.notNull())
    .addColumn("id", "text", (column) => column.notNull())
    .addColumn("message", "text", (column) => column.notNull())
    .addPrimaryKeyConstraint("messages_key", ["project", "id"])
    .execute();
  await db.schema
    .createIndex("messages_in_order")
    .on("messages")
    .columns(["project", "position"])
    .execute();
  await db.schema
    .createTable("log")
    .addColumn("project", "text", (column) =>
      column.notNull().references("projects.id").onDelete("cascade"),
    )
    .addColumn("seq", "bigint", (column) => column.notNull())
    .addColumn("at", "bigint", (column) => column.notNull())
    .addColumn("stream", "text")
    .addColumn("bytes", "bigint", (column) => column.notNull())
    .addColumn("event", "text", (column) => column.notNull())
    .addPrimaryKeyConstraint("log_key", ["project", "seq"])
    .execute();
  await db.schema
    .createTable("settings")
    .addColumn("key", "text", (column) => column.primaryKey())
    .addColumn("value", "text", (column) => column.notNull())
    .execute();
  await db.schema
    .createTable("build_results")
    .addColumn("session", "text", (column) => column.primaryKey())
    .addColumn("ran_at", "bigint", (column) => column.notNull())
    .addColumn("report", "text", (column) => column.notNull())
    .execute();
}
