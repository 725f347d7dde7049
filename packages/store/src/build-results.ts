import type { Kysely } from "kysely";
import type { Schema } from "./schema.ts";
import type { BuildResultStore } from "./types.ts";

/**
 * Reports are deleted after a day: nobody waits for them any more by then, and clients invent
 * session ids freely.
 */
const KEPT_MS = 24 * 60 * 60 * 1000;

export function createBuildResultStore(
  db: Kysely<Schema>,
  now: () => number = Date.now,
): BuildResultStore {
  return {
    async put(session, report, ranAtMs) {
      const row = { session, ran_at: ranAtMs, report: JSON.stringify(report) };
      await db
        .deleteFrom("build_results")
        .where("ran_at", "<", now() - KEPT_MS)
        .execute();
      await db
        .insertInto("build_results")
        .values(row)
        .onConflict((conflict) =>
          conflict.column("session").doUpdateSet({ report: row.report, ran_at: ranAtMs }),
        )
        .execute();
    },
    async get(session) {
      const row = await db
        .selectFrom("build_results")
        .selectAll()
        .where("session", "=", session)
        .where("ran_at", ">=", now() - KEPT_MS)
        .executeTakeFirst();
      return row && { report: JSON.parse(row.report), ranAtMs: row.ran_at };
    },
    async remove(session) {
      await db.deleteFrom("build_results").where("session", "=", session).execute();
    },
  };
}
