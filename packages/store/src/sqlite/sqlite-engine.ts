import { Kysely, sql, type Transaction } from "kysely";
import { silentDoorbell, type Engine, type NewEntry } from "../engine.ts";
import { createFences, type Fences } from "../fences.ts";
import { numbered } from "../numbered.ts";
import type { Schema } from "../schema.ts";
import { createSharedCommit } from "../shared-commit.ts";
import { createTrigramIndex } from "./trigram-index.ts";
import { nodeSqliteDialect } from "./node-sqlite-dialect.ts";
import { openDatabase } from "./open-database.ts";

/** Rows of one INSERT. */
const INSERT_ROWS = 200;

/**
 * The database in a data folder, which this process alone has open.
 * @throws StoreError
 */
export function openSqlite(directory: string, maxBytes?: number): Engine {
  const { database, unlock } = openDatabase(directory, maxBytes);
  const db = new Kysely<Schema>({ dialect: nodeSqliteDialect(database) });
  const { write, idle } = createSharedCommit(db);
  const fences = createFences(db, write, "sqlite");
  return {
    db,
    name: "sqlite",
    description: `SQLite ${process.versions.sqlite}`,
    write,
    fences,
    // Transactions of one connection come one after the other.
    lock: async () => {},
    locked: (_name, statement) => statement(db),
    exclusively: (_name, work) => work(),
    appendEntries: (entries) => write((transaction) => insertEntries(transaction, entries, fences)),
    texts: createTrigramIndex(db),
    doorbell: silentDoorbell,
    idle,
    async close() {
      try {
        // Kysely closes only what was used.
        await db.destroy();
        if (database.isOpen) database.close();
      } finally {
        unlock();
      }
    },
  };
}

async function insertEntries(
  transaction: Transaction<Schema>,
  entries: readonly NewEntry[],
  fences: Fences,
): Promise<Map<string, number>> {
  const heads = new Map<string, number>();
  for (const [project, own] of Map.groupBy(entries, (entry) => entry.project)) {
    if (fences.isOn() && !(await isHeld(transaction, project, own[0]?.epoch))) {
      fences.lost(project, own[0]?.epoch);
      continue;
    }
    const { rows } = await sql<{ head: number }>`
      insert into log_heads (project, head) select id, ${own.length} from projects where id = ${project}
      on conflict (project) do update set head = log_heads.head + excluded.head returning head
    `.execute(transaction);
    if (rows[0]) heads.set(project, rows[0].head);
  }
  const rows = numbered(entries, heads).map(({ project, seq, at, stream, json }) => ({
    project,
    seq,
    at,
    stream,
    event: json,
    bytes: json.length,
  }));
  for (let from = 0; from < rows.length; from += INSERT_ROWS)
    await transaction
      .insertInto("log")
      .values(rows.slice(from, from + INSERT_ROWS))
      .execute();
  return heads;
}

async function isHeld(
  transaction: Transaction<Schema>,
  project: string,
  epoch: number | undefined,
): Promise<boolean> {
  const { rows } = await sql`
    select 1 from leases where name = ${project} and epoch = ${epoch ?? 0} and server is not null
  `.execute(transaction);
  return rows.length > 0;
}
