import type { Kysely } from "kysely";

/** Links that grant a role in one project, and guests who entered by one without an account. */
export async function up(db: Kysely<unknown>): Promise<void> {
  const { schema } = db;
  await schema
    .createTable("access_links")
    .addColumn("id", "text", (column) => column.primaryKey())
    .addColumn("project", "text", (column) => column.notNull())
    .addColumn("role", "text", (column) => column.notNull())
    .addColumn("secret", "text", (column) => column.notNull().unique())
    .addColumn("nameless", "integer", (column) => column.notNull())
    .addColumn("created_by", "text", (column) => column.notNull())
    .addColumn("created_at", "bigint", (column) => column.notNull())
    .addColumn("expires_at", "bigint", (column) => column.notNull())
    .addColumn("uses", "bigint", (column) => column.notNull())
    .addColumn("used_at", "bigint")
    .execute();
  await schema
    .createIndex("access_links_by_project")
    .on("access_links")
    .column("project")
    .execute();
  await schema
    .createTable("link_guests")
    .addColumn("link", "text", (column) =>
      column.notNull().references("access_links.id").onDelete("cascade"),
    )
    .addColumn("person", "text", (column) =>
      column.notNull().references("people.id").onDelete("cascade"),
    )
    .addPrimaryKeyConstraint("link_guests_key", ["link", "person"])
    .execute();
  await schema.createIndex("link_guests_by_person").on("link_guests").column("person").execute();
  await schema
    .alterTable("people")
    .addColumn("guest_of", "text", (column) =>
      column.references("access_links.id").onDelete("cascade"),
    )
    .execute();
}
