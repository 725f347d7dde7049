import { createBuildResultStore } from "./build-results.ts";
import type { Engine } from "./engine.ts";
import { guarded } from "./guarded.ts";
import { createLeaseStore } from "./leases.ts";
import { createListStore } from "./lists.ts";
import { createLog } from "./log/log.ts";
import { createMessageStore } from "./messages.ts";
import { migrate } from "./migrations/migrate.ts";
import { openEngine } from "./open-engine.ts";
import { createProjectStore } from "./projects.ts";
import { createSearchStore } from "./search/search-messages.ts";
import { loadKey } from "./secrets/load-key.ts";
import { createSealer, type Sealer } from "./secrets/seal.ts";
import { createSecretStore } from "./secrets/secret-store.ts";
import { createSigner } from "./secrets/signer.ts";
import { createSettingStore, sealOldSettings } from "./settings.ts";
import { toStoreError } from "./store-error.ts";
import type { Store, StoreError } from "./types.ts";

export interface OpenStoreOptions {
  /** The data folder; created if missing, accessible to its owner only. */
  directory: string;
  /** Address of a PostgreSQL database (`postgres://…`) in place of SQLite in the data folder. */
  database?: string | undefined;
  /** Whether other servers use the data folder, too; only with PostgreSQL. */
  isShared?: boolean | undefined;
  /** SQLite refuses to grow past this many bytes, as on a full disk. */
  maxBytes?: number;
  /** Called for each failed attempt to write a group of log entries. The write is retried. */
  onFailure?: (error: StoreError) => void;
  now?: () => number;
}

/**
 * Opens the store of a data folder.
 * @throws StoreError `not-writable`, `busy` (another process has the folder), `newer`, `corrupt`, `full`,
 * `unreachable` (PostgreSQL), `unmoved` (the folder's projects are in the other database)
 */
export async function openStore(options: OpenStoreOptions): Promise<Store> {
  const { directory } = options;
  const { engine, place, claim } = await openEngine(options);
  const toError = (error: unknown) => toStoreError(error, place);
  try {
    await migrate(engine.db, engine.name, place);
    const first = await engine.db.selectFrom("projects").select("id").limit(1).execute();
    if (first.length > 0) claim();
    return await storeOn(engine, options, toError);
  } catch (error) {
    await engine.close();
    throw toError(error);
  }

  async function storeOn(
    engine: Engine,
    options: OpenStoreOptions,
    toError: (error: unknown) => StoreError,
  ): Promise<Store> {
    const { db } = engine;
    const log = createLog(engine, (error) => options.onFailure?.(toError(error)));
    const neighbours = {
      created(project: string) {
        claim();
        log.created(project);
      },
      removed: log.removed,
    };
    let sealing: Sealer | undefined;
    const sealer = () => (sealing ??= createSealer(loadKey(directory)));
    await sealOldSettings(db, sealer);
    let closing: Promise<void> | undefined;
    const close = async () => {
      try {
        await engine.idle();
        await log.close();
      } finally {
        await engine.close();
      }
    };
    return {
      database: engine.description,
      projects: guarded(createProjectStore(engine, neighbours), toError),
      messages: guarded(createMessageStore(engine), toError),
      search: guarded(createSearchStore(engine.texts), toError),
      settings: guarded(createSettingStore(engine, sealer), toError),
      lists: guarded(createListStore(engine), toError),
      buildResults: guarded(createBuildResultStore(db, options.now), toError),
      secrets: guarded(createSecretStore(engine, sealer), toError),
      leases: guarded(createLeaseStore(engine), toError),
      signer: createSigner(() => loadKey(directory)),
      accounts: db as unknown as Store["accounts"],
      sealer,
      log: guarded(log, toError),
      close: () =>
        (closing ??= close().catch((error: unknown) => {
          throw toError(error);
        })),
    };
  }
}
