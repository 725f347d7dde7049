import { sql, type Kysely } from "kysely";
import { Migrator } from "kysely/migration";
import type { Schema } from "../schema.ts";
import { storeError } from "../store-error.ts";
import { up as first } from "./0001-first.ts";
import { up as secrets } from "./0002-secrets.ts";
import { up as protectedFiles } from "./0003-protected-files.ts";
import { up as logBodies } from "./0004-log-bodies.ts";
import { up as messageTexts } from "./0005-message-texts.ts";
import { up as secretEnvironments } from "./0006-secret-environments.ts";
import { up as listItems } from "./0007-list-items.ts";
import { up as accounts } from "./0008-accounts.ts";
import { up as logHeads } from "./0009-log-heads.ts";
import { up as spending } from "./0010-spending.ts";
import { up as identities } from "./0011-identities.ts";
import { up as auditColumns } from "./0012-audit-columns.ts";
import { up as accessLinks } from "./0013-access-links.ts";
import { up as reviews } from "./0014-reviews.ts";
import { up as monthSums } from "./0015-month-sums.ts";
import { up as leases } from "./0016-leases.ts";
import { up as teamPackages } from "./0017-team-packages.ts";
import { DIALECTS, POSTGRES_SCHEMA, type SqlDialect } from "./sql-dialect.ts";

/**
 * The migrations in order. A released migration is never changed, only followed by another. Each
 * works for both databases; `SqlDialect` contains their differences.
 */
const MIGRATIONS: Record<string, (db: Kysely<unknown>, dialect: SqlDialect) => Promise<void>> = {
  "0001-first": first,
  "0002-secrets": secrets,
  "0003-protected-files": protectedFiles,
  "0004-log-bodies": logBodies,
  "0005-message-texts": messageTexts,
  "0006-secret-environments": secretEnvironments,
  "0007-list-items": listItems,
  "0008-accounts": accounts,
  "0009-log-heads": logHeads,
  "0010-spending": spending,
  "0011-identities": identities,
  "0012-audit-columns": auditColumns,
  "0013-access-links": accessLinks,
  "0014-reviews": reviews,
  "0015-month-sums": monthSums,
  "0016-leases": leases,
  "0017-team-packages": teamPackages,
};

/**
 * Migrates the tables to this program's version.
 * @throws StoreError `newer` if a later version of Treadle has used the database; otherwise any error of the database
 */
export async function migrate(
  db: Kysely<Schema>,
  name: SqlDialect["name"],
  place: string,
): Promise<void> {
  const dialect = DIALECTS[name];
  const applied = await appliedMigrations(db, dialect);
  if (applied.some((one) => !(one in MIGRATIONS))) throw storeError("newer", place);
  if (applied.length === Object.keys(MIGRATIONS).length) return;
  await (dialect.name === "sqlite" ? inOneTransaction(db, dialect) : toLatest(db, dialect));
}

/**
 * Runs the missing migrations. In PostgreSQL this is one transaction; other processes that start at
 * the same time wait for it.
 */
async function toLatest(db: Kysely<Schema>, dialect: SqlDialect): Promise<void> {
  const migrations = Object.entries(MIGRATIONS).map(
    ([name, up]) => [name, { up: (on: Kysely<unknown>) => up(on, dialect) }] as const,
  );
  const migrator = new Migrator({
    db,
    provider: { getMigrations: async () => Object.fromEntries(migrations) },
    ...(dialect.name === "postgres" && { migrationTableSchema: POSTGRES_SCHEMA }),
    // Of two migrations developed in parallel, the earlier may be merged later.
    allowUnorderedMigrations: true,
  });
  const { error } = await migrator.migrateToLatest();
  if (error !== undefined) throw error;
}

/**
 * Runs the missing migrations in one transaction of SQLite, which Kysely itself does not: half-created
 * tables would block the next start.
 */
async function inOneTransaction(db: Kysely<Schema>, dialect: SqlDialect): Promise<void> {
  await sql`begin immediate`.execute(db);
  try {
    await toLatest(db, dialect);
    await sql`commit`.execute(db);
  } catch (error) {
    // SQLite may already have rolled back by itself; its error has the reason.
    await sql`rollback`.execute(db).catch(() => undefined);
    throw error;
  }
}

async function appliedMigrations(db: Kysely<Schema>, dialect: SqlDialect): Promise<string[]> {
  const tables =
    dialect.name === "sqlite"
      ? sql`select name from sqlite_master where type = 'table' and name = 'kysely_migration'`
      : sql`select 1 from pg_tables where schemaname = ${POSTGRES_SCHEMA} and tablename = 'kysely_migration'`;
  if ((await tables.execute(db)).rows.length === 0) return [];
  const { rows } = await sql<{ name: string }>`select name from kysely_migration`.execute(db);
  return rows.map((row) => row.name);
}
