import { Kysely, sql } from "kysely";
import { createBuildResultStore } from "./build-results.ts";
import { guarded } from "./guarded.ts";
import { createLog } from "./log/log.ts";
import { createMessageStore } from "./messages.ts";
import { migrate } from "./migrations/migrate.ts";
import { SQLITE } from "./migrations/sql-dialect.ts";
import { createProjectStore } from "./projects.ts";
import { createSearchStore } from "./search/search-messages.ts";
import type { Schema } from "./schema.ts";
import { createListStore } from "./lists.ts";
import { createSettingStore, sealOldSettings } from "./settings.ts";
import { nodeSqliteDialect } from "./sqlite/node-sqlite-dialect.ts";
import { loadKey } from "./secrets/load-key.ts";
import { createSealer, type Sealer } from "./secrets/seal.ts";
import { createSecretStore } from "./secrets/secret-store.ts";
import { createSigner } from "./secrets/signer.ts";
import { createSharedCommit } from "./shared-commit.ts";
import { openDatabase } from "./sqlite/open-database.ts";
import { toStoreError } from "./store-error.ts";
import type { Store, StoreError } from "./types.ts";

export interface OpenStoreOptions {
  /** The data folder; made if missing, for its owner alone. */
  directory: string;
  /** The database refuses to grow past this many bytes, as on a full disk. */
  maxBytes?: number;
  /** Called for each failed attempt to write a group of log entries. The write is retried. */
  onFailure?: (error: StoreError) => void;
  now?: () => number;
}

/**
 * Opens the store of a data folder on SQLite.
 * @throws StoreError `not-writable`, `busy` (another process has the folder), `newer`, `corrupt`, `full`.
 */
export async function openStore(options: OpenStoreOptions): Promise<Store> {
  const { directory } = options;
  const { database, unlock } = openDatabase(directory, options.maxBytes);
  const db = new Kysely<Schema>({ dialect: nodeSqliteDialect(database) });
  const toError = (error: unknown) => toStoreError(error, directory);
  try {
    await migrate(db, SQLITE, directory);
    const { write, idle } = createSharedCommit(db);
    const log = createLog(db, write, await readHeads(db), (error) =>
      options.onFailure?.(toError(error)),
    );
    let sealing: Sealer | undefined;
    const sealer = () => (sealing ??= createSealer(loadKey(directory)));
    await sealOldSettings(db, sealer);
    let closing: Promise<void> | undefined;
    const close = async () => {
      try {
        await idle();
        await log.close();
      } finally {
        await db.destroy();
        unlock();
      }
    };
    return {
      projects: guarded(createProjectStore(db, write, log), toError),
      messages: guarded(createMessageStore(db, write), toError),
      search: guarded(createSearchStore(db), toError),
      settings: guarded(createSettingStore(db, sealer), toError),
      lists: guarded(createListStore(db), toError),
      buildResults: guarded(createBuildResultStore(db, options.now), toError),
      secrets: guarded(createSecretStore(db, sealer), toError),
      signer: createSigner(() => loadKey(directory)),
      log: guarded(log, toError),
      close: () =>
        (closing ??= close().catch((error: unknown) => {
          throw toError(error);
        })),
    };
  } catch (error) {
    database.close();
    unlock();
    throw toError(error);
  }
}

/** One look into the index a project: the number of its last entry. */
async function readHeads(db: Kysely<Schema>): Promise<Map<string, number>> {
  const { rows } = await sql<{ id: string; head: number }>`
    select id, coalesce((select max(seq) from log where project = projects.id), 0) as head
    from projects
  `.execute(db);
  return new Map(rows.map((row) => [row.id, row.head]));
}
