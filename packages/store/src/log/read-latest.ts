import type { LogEntry } from "@treadle/protocol";
import type { Kysely } from "kysely";
import type { Schema } from "../schema.ts";

/** Maximum number of the user's messages shown before the rest has loaded. */
const MESSAGES = 3;
/** How far back the search goes, in entries. An active run can have thousands of pieces. */
const BACK = 5_000;
/** Maximum bytes; more would delay the rest. */
const BYTES = 1024 * 1024;

/**
 * The newest entries, starting with a user's message: what a page can show before it has read the
 * whole log. Contains up to three messages and what followed them, fewer if they are long, and none
 * if even one is too long.
 */
export async function readLatest(
  db: Kysely<Schema>,
  project: string,
  head: number,
): Promise<LogEntry[]> {
  const since = db
    .selectFrom("log")
    .where("project", "=", project)
    .where("seq", ">", head - BACK);
  const messages = await since
    .where("event", "like", '{"type":"message",%')
    .orderBy("seq", "desc")
    .limit(MESSAGES)
    .select("seq")
    .execute();
  for (const { seq } of messages.toReversed()) {
    const entries = since.where("seq", ">=", seq);
    const { bytes } = await entries
      .select(({ fn }) => fn.sum<number>("bytes").as("bytes"))
      .executeTakeFirstOrThrow();
    if (Number(bytes) > BYTES) continue;
    const rows = await entries.select(["seq", "at", "event"]).orderBy("seq").execute();
    return rows.map((row) => ({ seq: row.seq, at: row.at, event: JSON.parse(row.event) }));
  }
  return [];
}
