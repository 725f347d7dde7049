import type { LogEntry } from "@treadle/protocol";
import type { Kysely } from "kysely";
import type { Schema } from "../schema.ts";

const PAGE_ENTRIES = 500;
/** Compacted entries can be long: a page ends at this size, but contains at least one entry. */
const PAGE_BYTES = 1024 * 1024;

/**
 * The next entries after `after`, as many as fit; empty if there are none.
 * @param only `facts`: without the pieces of long texts
 */
export async function readPage(
  db: Kysely<Schema>,
  project: string,
  after: number,
  only?: "facts",
): Promise<LogEntry[]> {
  const all = db
    .selectFrom("log")
    .where("project", "=", project)
    .where("seq", ">", after)
    .orderBy("seq")
    .limit(PAGE_ENTRIES);
  const entries = only === "facts" ? all.where("stream", "is", null) : all;
  const sizes = await entries.select(["seq", "bytes"]).execute();
  let bytes = 0;
  let last = after;
  for (const row of sizes) {
    bytes += row.bytes;
    if (bytes > PAGE_BYTES && last > after) break;
    last = row.seq;
  }
  if (last === after) return [];
  const rows = await entries.where("seq", "<=", last).select(["seq", "at", "event"]).execute();
  return rows.map(({ seq, at, event }) => ({ seq, at, event: JSON.parse(event) }));
}
