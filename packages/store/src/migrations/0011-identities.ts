import type { Kysely } from "kysely";

/** Accounts at an identity provider, what they grant, and people who may not sign in for now. */
export async function up(db: Kysely<unknown>): Promise<void> {
  const { schema } = db;
  await schema.alterTable("people").addColumn("suspended", "text").execute();
  await schema
    .createTable("identities")
    .addColumn("id", "text", (column) => column.primaryKey())
    .addColumn("issuer", "text", (column) => column.notNull())
    .addColumn("subject", "text", (column) => column.notNull())
    .addColumn("person", "text", (column) => column.references("people.id").onDelete("cascade"))
    .addColumn("base_role", "text")
    .addColumn("granted_role", "text")
    .addColumn("refresh_token", "text")
    .addColumn("report", "text", (column) => column.notNull())
    .addColumn("tried_at", "bigint", (column) => column.notNull())
    .addColumn("confirmed_at", "bigint", (column) => column.notNull())
    .addUniqueConstraint("identities_by_subject", ["issuer", "subject"])
    .execute();
  await schema
    .alterTable("sessions")
    .addColumn("identity", "text", (column) =>
      column.references("identities.id").onDelete("cascade"),
    )
    .execute();
  await schema.alterTable("sessions").addColumn("ends_at", "bigint").execute();
  await schema
    .alterTable("team_members")
    .addColumn("granted_by", "text", (column) => column.notNull().defaultTo("person"))
    .execute();
}
