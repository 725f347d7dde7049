import { sql, type Kysely } from "kysely";
import type { TextIndex } from "../engine.ts";
import type { Schema } from "../schema.ts";
import type { StoredMessage } from "../types.ts";

/** Maximum characters of a message that are searched. */
const MOST = 200_000;

/**
 * Updates the search index for a message. Tool calls, their results and texts that Treadle itself inserted are not
 * indexed.
 */
export async function keepText(
  db: Kysely<Schema>,
  columnsOf: TextIndex["columnsOf"],
  project: string,
  message: StoredMessage,
): Promise<void> {
  const text = textOf(message);
  if (text === "") return;
  // The text is padded, so that its last letters begin an index piece as well.
  const padded = `${text}\n\n`;
  const changed = { text: padded, ...columnsOf(padded) };
  // An answer belongs to the newest user message before it.
  const ownText =
    message.role === "user"
      ? message.id
      : sql<string | null>`(
          select said from message_texts where project = ${project} and said is not null
          order by id desc limit 1
        )`;
  await db
    .insertInto("message_texts")
    .values({ project, message: message.id, said: ownText, ...changed })
    .onConflict((conflict) =>
      conflict
        .columns(["project", "message"])
        .doUpdateSet(changed)
        .where("message_texts.text", "!=", padded),
    )
    .execute();
}

function textOf({ parts, metadata }: StoredMessage): string {
  if ((metadata as { from?: unknown } | undefined)?.from === "treadle") return "";
  const texts = parts.flatMap((part) => {
    const { type, text } = (part ?? {}) as { type?: unknown; text?: unknown };
    return type === "text" && typeof text === "string" ? [text] : [];
  });
  // PostgreSQL takes no NUL in a text, and nobody searches for one.
  return texts.join("\n").slice(0, MOST).replaceAll("\0", " ");
}
