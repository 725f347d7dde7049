import { sql } from "kysely";
import type { Engine } from "./engine.ts";
import { keepText } from "./search/message-text.ts";
import type { MessageStore, StoredMessage } from "./types.ts";

/**
 * Maximum bytes of a message that is read; only endless answers from before there was a limit are
 * longer.
 */
const MESSAGE_BYTES = 32 * 1024 * 1024;

/** Replaces an answer that is too long to be read. */
function tooLong(id: string, bytes: number): StoredMessage {
  const megabytes = Math.round(bytes / 1024 / 1024);
  const text = `(This answer had ${megabytes} MB. It is too long to be read again.)`;
  return { id, role: "assistant", parts: [{ type: "text", text, state: "done" }] };
}

export function createMessageStore({ db, write, lock, texts, fences }: Engine): MessageStore {
  return {
    async put(project, message) {
      const next = sql<number>`(
        select coalesce(max(position), 0) + 1 from messages where project = ${project}
      )`;
      const row = { project, id: message.id, message: JSON.stringify(message), position: next };
      await write(async (transaction) => {
        await fences.check(transaction, project);
        // Two messages that are stored at the same time get different positions.
        await lock(transaction, `messages ${project}`);
        await transaction
          .insertInto("messages")
          .values(row)
          .onConflict((conflict) =>
            conflict.columns(["project", "id"]).doUpdateSet({ message: row.message }),
          )
          .execute();
        await keepText(transaction, texts.columnsOf, project, message);
      });
    },
    async list(project) {
      const bytes = sql<number>`octet_length(message)`;
      const query = db
        .selectFrom("messages")
        .select(["id", bytes.as("bytes")])
        // Too long texts are not even read.
        .select(
          sql<string | null>`case when ${bytes} <= ${MESSAGE_BYTES} then message end`.as("message"),
        )
        .where("project", "=", project);
      const rows = await query.orderBy("position").execute();
      return rows.map((row) =>
        row.message === null
          ? tooLong(row.id, row.bytes)
          : (JSON.parse(row.message) as StoredMessage),
      );
    },
  };
}
