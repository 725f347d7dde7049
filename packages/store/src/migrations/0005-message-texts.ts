import { sql, type Kysely } from "kysely";
import { keepText } from "../search/message-text.ts";
import type { Schema } from "../schema.ts";
import type { StoredMessage } from "../types.ts";
import type { SqlDialect } from "./sql-dialect.ts";

/** Messages read at once. */
const PAGE = 200;

/** The search index of message texts. It uses trigrams, so that languages without spaces between words are found too. */
export async function up(db: Kysely<unknown>, dialect: SqlDialect): Promise<void> {
  await db.schema
    .createTable("message_texts")
    .addColumn("id", dialect.counter, (column) => column.primaryKey())
    .addColumn("project", "text", (column) =>
      column.notNull().references("projects.id").onDelete("cascade"),
    )
    .addColumn("message", "text", (column) => column.notNull())
    .addColumn("said", "text")
    .addColumn("text", "text", (column) => column.notNull())
    .addUniqueConstraint("message_texts_key", ["project", "message"])
    .execute();
  if (dialect.name === "postgres") {
    await sql`alter table message_texts add column pieces tsvector`.execute(db);
    await sql`create index message_pieces on message_texts using gin (pieces)`.execute(db);
    await sql`create index message_texts_without_pieces on message_texts (id) where pieces is null`.execute(
      db,
    );
    return;
  }
  for (const statement of [
    sql`create virtual table message_search using fts5(
      text, content = 'message_texts', content_rowid = 'id', tokenize = 'trigram'
    )`,
    sql`create virtual table message_pieces using fts5vocab(message_search, row)`,
    sql`create trigger message_texts_added after insert on message_texts begin
      insert into message_search (rowid, text) values (new.id, new.text);
    end`,
    sql`create trigger message_texts_changed after update on message_texts begin
      insert into message_search (message_search, rowid, text) values ('delete', old.id, old.text);
      insert into message_search (rowid, text) values (new.id, new.text);
    end`,
    sql`create trigger message_texts_removed after delete on message_texts begin
      insert into message_search (message_search, rowid, text) values ('delete', old.id, old.text);
    end`,
  ])
    await statement.execute(db);
  const known = db as Kysely<Schema>;
  for (let offset = 0; ; offset += PAGE) {
    const query = known.selectFrom("messages").select(["project", "message"]);
    const rows = await query
      .orderBy("project")
      .orderBy("position")
      .limit(PAGE)
      .offset(offset)
      .execute();
    for (const { project, message } of rows)
      await keepText(known, () => ({}), project, JSON.parse(message) as StoredMessage);
    if (rows.length < PAGE) return;
  }
}
