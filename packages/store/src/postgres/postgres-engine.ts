import { randomUUID } from "node:crypto";
import { Kysely, PostgresDialect, sql } from "kysely";
import { Pool } from "pg";
import type { Engine } from "../engine.ts";
import { createFences } from "../fences.ts";
import type { Schema } from "../schema.ts";
import type { Write } from "../shared-commit.ts";
import { createEntryWriter } from "./append-entries.ts";
import { connectionOptions, SET_SCHEMA, TextClient } from "./connection-options.ts";
import { openDoorbell } from "./listen.ts";
import { createPieceIndex } from "./piece-index.ts";

/** Maximum number of connections, besides the one that listens. */
const CONNECTIONS = 10;
/** How often a transaction is tried that PostgreSQL aborts in favour of another one. */
const TRIES = 5;
/** Deadlock, and a conflict with a concurrent change (PostgreSQL's documentation, appendix A). */
const TRY_AGAIN = new Set(["40P01", "40001"]);

/**
 * A PostgreSQL database, which other processes may have open as well.
 * @param place its address without a password
 */
export async function openPostgres(database: string, place: string): Promise<Engine> {
  const pool = new Pool({
    ...connectionOptions(database),
    max: CONNECTIONS,
    Client: TextClient,
    // Kysely's own hook is not used: a connection that breaks in it is never returned to the pool.
    // oxlint-disable-next-line typescript/no-misused-promises -- the pool waits for it
    onConnect: (client) => client.query(SET_SCHEMA),
  });
  // A connection that breaks while nobody uses it is replaced; one that is in use fails its query.
  pool.on("error", () => {});
  const db = new Kysely<Schema>({
    dialect: new PostgresDialect({ pool: pool as never }),
  });
  try {
    const { rows } = await sql<{ server_version: string }>`show server_version`.execute(db);
    const doorbell = openDoorbell(pool, database);
    const active = new Set<Promise<unknown>>();
    let exclusive: Promise<unknown> = Promise.resolve();

    const lock: Engine["lock"] = async (transaction, name) =>
      void (await sql`select pg_advisory_xact_lock(hashtextextended(${`treadle ${name}`}, 0))`.execute(
        transaction,
      ));
    const write: Write = (work) => {
      const writing = persist(() => db.transaction().execute(work));
      active.add(writing);
      const finish = () => void active.delete(writing);
      writing.then(finish, finish);
      return writing;
    };
    const fences = createFences(db, write, "postgres");
    const entries = createEntryWriter(pool, randomUUID(), fences);
    return {
      db,
      name: "postgres",
      description: `PostgreSQL ${rows[0]?.server_version.split(" ")[0] ?? ""} ${place}`,
      write,
      fences,
      lock,
      locked: (name, statement) =>
        write(async (transaction) => {
          await lock(transaction, name);
          return statement(transaction);
        }),
      exclusively(name, work) {
        // This process runs one at a time: each holds a connection while its work needs others.
        const next = exclusive.then(() =>
          db.transaction().execute(async (transaction) => {
            await lock(transaction, name);
            return work();
          }),
        );
        exclusive = next.catch(() => undefined);
        return next;
      },
      appendEntries: entries.append,
      texts: createPieceIndex(db),
      doorbell,
      async idle() {
        while (active.size > 0) await Promise.allSettled(active);
      },
      async close() {
        await doorbell.close();
        await entries.close();
        await db.destroy();
        // Kysely closes only what it has used.
        if (!pool.ended) await pool.end();
      },
    };
  } catch (error) {
    await pool.end().catch(() => undefined);
    throw error;
  }
}

async function persist<T>(work: () => Promise<T>): Promise<T> {
  for (let tries = 1; ; tries++)
    try {
      return await work();
    } catch (error) {
      const { code } = error as { code?: string };
      if (tries === TRIES || code === undefined || !TRY_AGAIN.has(code)) throw error;
    }
}
