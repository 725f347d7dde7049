import type { Kysely } from "kysely";
import type { Schema } from "../schema.ts";

/** Numbers of the newest entries of these logs; those without entries are left out. */
export async function readHeads(
  db: Kysely<Schema>,
  projects: readonly string[],
): Promise<Map<string, number>> {
  const rows = await db
    .selectFrom("log_heads")
    .select(["project", "head"])
    .where("project", "in", projects)
    .execute();
  return new Map(rows.map(({ project, head }) => [project, head]));
}

/** The number of a log's newest entry; 0 if there is none. */
export const readHead = async (db: Kysely<Schema>, project: string): Promise<number> =>
  (await readHeads(db, [project])).get(project) ?? 0;
