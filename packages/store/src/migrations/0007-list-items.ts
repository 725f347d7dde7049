import { sql, type Kysely } from "kysely";
import type { SqlDialect } from "./sql-dialect.ts";

/** Lists that were one setting each, with the field that names an item. */
const LISTS = [
  ["publications", "project"],
  ["elsewhere", "project"],
  ["shares", "id"],
  ["comparisons", "id"],
] as const;

/** Each list item becomes its own row: a change writes only that item, however many there are. */
export async function up(db: Kysely<unknown>, dialect: SqlDialect): Promise<void> {
  await db.schema
    .createTable("list_items")
    .addColumn("list", "text", (column) => column.notNull())
    .addColumn("name", "text", (column) => column.notNull())
    .addColumn("position", "bigint", (column) => column.notNull())
    .addColumn("value", "text", (column) => column.notNull())
    .addPrimaryKeyConstraint("list_items_key", ["list", "name"])
    .execute();
  // In PostgreSQL they have been rows from the beginning.
  if (dialect.name === "postgres") return;
  for (const [list, field] of LISTS) {
    await sql`
      insert or replace into list_items (list, name, position, value)
      select ${list}, json_extract(item.value, ${`$.${field}`}), item.key + 1, item.value
      from settings, json_each(settings.value) as item
      where settings.key = ${list}
    `.execute(db);
    await sql`delete from settings where key = ${list}`.execute(db);
  }
}
