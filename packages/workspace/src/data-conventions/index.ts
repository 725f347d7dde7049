/**
 * How a project's files identify its databases: for `treadle-db` in the sandbox, which is a
 * separate package.
 */
export { isIgnored, isNeverOwn } from "../ignored.ts";
export { chooseFolders, MIGRATION_FOLDERS, migrationFolderOf } from "./migration-folders.ts";
export { migrationNumber, numberLike, planMigrations } from "./plan-migrations.ts";
export type { Applied, MigrationFile } from "./types.ts";
export { meansPostgres, usesPostgres } from "./uses-postgres.ts";
