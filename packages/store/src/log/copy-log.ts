import { sql, type Transaction } from "kysely";
import type { Schema } from "../schema.ts";

/** Maximum number of entries in one DELETE. */
const DELETE_ROWS = 500;

/**
 * Copies a log's entries up to a number, with the long texts beside them, to a project without a log.
 * @returns the number of the last copied entry
 */
export async function copyLog(
  transaction: Transaction<Schema>,
  copied: { from: string; to: string; until: number; without: readonly number[] },
): Promise<number> {
  const { from, to, until, without } = copied;
  await sql`
    insert into log (project, seq, at, stream, bytes, event)
    select ${to}, seq, at, stream, bytes, event from log where project = ${from} and seq <= ${until}
  `.execute(transaction);
  await sql`
    insert into log_bodies (project, seq, call, body)
    select ${to}, seq, call, body from log_bodies where project = ${from} and seq <= ${until}
  `.execute(transaction);
  for (let at = 0; at < without.length; at += DELETE_ROWS)
    for (const table of ["log", "log_bodies"] as const)
      await transaction
        .deleteFrom(table)
        .where("project", "=", to)
        .where("seq", "in", without.slice(at, at + DELETE_ROWS))
        .execute();
  await sql`
    update projects
    set compacted = (
      select case when compacted < ${until} then compacted else ${until} end
      from projects as other where other.id = ${from}
    )
    where id = ${to}
  `.execute(transaction);
  const { rows } = await sql<{ head: number }>`
    insert into log_heads (project, head)
    select ${to}, max(seq) from log where project = ${to} having max(seq) is not null
    returning head
  `.execute(transaction);
  return rows[0]?.head ?? 0;
}
