import { sql, type Kysely } from "kysely";
import { keepText } from "./search/message-text.ts";
import type { Schema } from "./schema.ts";
import type { Write } from "./shared-commit.ts";
import type { MessageStore, StoredMessage } from "./types.ts";

export function createMessageStore(db: Kysely<Schema>, write: Write): MessageStore {
  return {
    async put(project, message) {
      const next = sql<number>`(
        select coalesce(max(position), 0) + 1 from messages where project = ${project}
      )`;
      const row = { project, id: message.id, message: JSON.stringify(message), position: next };
      await write(async (transaction) => {
        await transaction
          .insertInto("messages")
          .values(row)
          .onConflict((conflict) =>
            conflict.columns(["project", "id"]).doUpdateSet({ message: row.message }),
          )
          .execute();
        await keepText(transaction, project, message);
      });
    },
    async list(project) {
      const query = db.selectFrom("messages").select("message").where("project", "=", project);
      const rows = await query.orderBy("position").execute();
      return rows.map((row) => JSON.parse(row.message) as StoredMessage);
    },
  };
}
