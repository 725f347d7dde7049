/** An app's databases, in SQLite and in PostgreSQL. */
export type { AppsPostgres } from "./postgres/apps-postgres.ts";
export {
  type DataDirectoryOptions,
  exportDataDirectory,
} from "./postgres/export-data-directory.ts";
export { openOwnPostgres } from "./postgres/own-postgres.ts";
export { OthersDatabase } from "./postgres/owner.ts";
export { readAppsPostgres, withPostgres } from "./postgres/with-postgres.ts";
export { usesPostgres } from "./tables/ask-postgres.ts";
export { databaseAtOnce } from "./tables/database-at-once.ts";
export { createKeptData, noData, type KeptData } from "./tables/kept-data.ts";
export { createDatabases, type Databases } from "./tables/databases.ts";
