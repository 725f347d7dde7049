import { sql, type Kysely } from "kysely";
import { Migrator, type Migration } from "kysely/migration";
import type { Schema } from "../schema.ts";
import { storeError } from "../store-error.ts";
import { up as first } from "./0001-first.ts";
import { up as secrets } from "./0002-secrets.ts";
import { up as protectedFiles } from "./0003-protected-files.ts";
import { up as logBodies } from "./0004-log-bodies.ts";
import { up as messageTexts } from "./0005-message-texts.ts";
import { up as secretEnvironments } from "./0006-secret-environments.ts";
import { up as listItems } from "./0007-list-items.ts";

/** In order, for ever: a migration that was released is never changed, only followed by another. */
const MIGRATIONS: Record<string, Migration> = {
  "0001-first": { up: first },
  "0002-secrets": { up: secrets },
  "0003-protected-files": { up: protectedFiles },
  "0004-log-bodies": { up: logBodies },
  "0005-message-texts": { up: messageTexts },
  "0006-secret-environments": { up: secretEnvironments },
  "0007-list-items": { up: listItems },
};

/**
 * Migrates the tables to this program's version.
 * @throws StoreError `newer` if a later version of Treadle has used the database; otherwise any error of the database
 */
export async function migrate(db: Kysely<Schema>, place: string): Promise<void> {
  const applied = await appliedMigrations(db);
  if (applied.some((name) => !(name in MIGRATIONS))) throw storeError("newer", place);
  if (applied.length === Object.keys(MIGRATIONS).length) return;
  const migrator = new Migrator({ db, provider: { getMigrations: async () => MIGRATIONS } });
  // Kysely takes SQLite for a database that cannot make tables in a transaction. Half of them would be in the next start's way.
  await sql`begin immediate`.execute(db);
  try {
    const { error } = await migrator.migrateToLatest();
    if (error !== undefined) throw error;
    await sql`commit`.execute(db);
  } catch (error) {
    // It may have rolled back by itself, and says why where it did.
    await sql`rollback`.execute(db).catch(() => undefined);
    throw error;
  }
}

async function appliedMigrations(db: Kysely<Schema>): Promise<string[]> {
  const tables = await sql<{ name: string }>`
    select name from sqlite_master where type = 'table' and name = 'kysely_migration'
  `.execute(db);
  if (tables.rows.length === 0) return [];
  const { rows } = await sql<{ name: string }>`select name from kysely_migration`.execute(db);
  return rows.map((row) => row.name);
}
