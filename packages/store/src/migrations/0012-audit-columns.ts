import { sql, type Kysely } from "kysely";
import type { SqlDialect } from "./sql-dialect.ts";

/** The audit log is filtered by person, action and time in the database. */
export async function up(db: Kysely<unknown>, dialect: SqlDialect): Promise<void> {
  const { schema } = db;
  for (const column of ["person", "action"]) {
    await schema
      .alterTable("audit")
      .addColumn(column, "text", (definition) => definition.notNull().defaultTo(""))
      .execute();
    const value =
      dialect.name === "sqlite"
        ? sql`json_extract(entry, ${`$.${column}`})`
        : sql`entry::json ->> ${sql.lit(column)}`;
    await sql`update audit set ${sql.ref(column)} = coalesce(${value}, '')`.execute(db);
    await schema.createIndex(`audit_by_${column}`).on("audit").columns([column, "id"]).execute();
  }
  await schema.createIndex("audit_by_time").on("audit").column("at").execute();
}
