import type { LogEntry } from "@treadle/protocol";
import type { Kysely } from "kysely";
import type { Schema } from "../schema.ts";
import { uncutText } from "./long-text.ts";

/** Returns the same entries with the full texts of the shortened ones. */
export async function readBodies(
  db: Kysely<Schema>,
  project: string,
  entries: LogEntry[],
): Promise<LogEntry[]> {
  const cut = entries.filter(({ event }) => (event as { cut?: number }).cut !== undefined);
  if (cut.length === 0) return entries;
  const rows = await db
    .selectFrom("log_bodies")
    .select(["seq", "body"])
    .where("project", "=", project)
    .where(
      "seq",
      "in",
      cut.map(({ seq }) => seq),
    )
    .execute();
  const bodies = new Map(rows.map(({ seq, body }) => [seq, body]));
  return entries.map((entry) => {
    const body = bodies.get(entry.seq);
    return body ? { ...entry, event: uncutText(entry.event, body) } : entry;
  });
}

/** A call's shortened entries, in order and with their full texts. */
export async function cutEntriesOf(
  db: Kysely<Schema>,
  project: string,
  call: string,
): Promise<LogEntry[]> {
  const rows = await db
    .selectFrom("log")
    .innerJoin("log_bodies", (join) =>
      join.onRef("log.project", "=", "log_bodies.project").onRef("log.seq", "=", "log_bodies.seq"),
    )
    .where("log_bodies.project", "=", project)
    .where("log_bodies.call", "=", call)
    .select(["log.seq", "log.at", "log.event", "log_bodies.body"])
    .orderBy("log.seq")
    .execute();
  return rows.map(({ seq, at, event, body }) => ({
    seq,
    at,
    event: uncutText(JSON.parse(event), body),
  }));
}
