/** How a project's files say what its databases are: for `treadle-db` inside, which has a package of its own. */
export { isIgnored, isNeverOwn } from "../ignored.ts";
export { chooseFolders, MIGRATION_FOLDERS, migrationFolderOf } from "./migration-folders.ts";
export { migrationNumber, numberLike, planMigrations } from "./plan-migrations.ts";
export type { Applied, MigrationFile } from "./types.ts";
export { meansPostgres, usesPostgres } from "./uses-postgres.ts";
