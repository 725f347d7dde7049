import { existsSync, rmdirSync, rmSync } from "node:fs";
import { dirname, join } from "node:path";
import { BESIDE_SQLITE } from "@treadle/protocol/project-path";
import { openPostgres } from "./postgres-database.ts";
import { openSqlite, sqliteFile } from "./sqlite-database.ts";
import type { AppDatabase } from "./types.ts";
import { meansPostgres, usesPostgres } from "@treadle/workspace/data-conventions";

/** An opened database of an app. */
export interface OpenedDatabase {
  database: AppDatabase;
  /**
   * Closes the database. Removes a SQLite file again that was created by opening it and is empty.
   * @returns additional information, as a sentence
   */
  close(): Promise<string | undefined>;
}

/**
 * Opens the app's database.
 * @throws Error with a message for people
 */
export async function openDatabase(root: string, env: NodeJS.ProcessEnv): Promise<OpenedDatabase> {
  if (usesPostgres(root, env)) {
    const database = await openPostgres(root);
    return { database, close: () => database.close().then(() => undefined) };
  }
  const file = sqliteFile(root, env.DATABASE_FILE, env.TREADLE_DB_FILE);
  if (typeof file !== "string") throw new Error(file.problem);
  const path = join(root, file);
  const isThere = existsSync(path);
  const isNamed = Boolean(env.DATABASE_FILE || env.TREADLE_DB_FILE);
  if (!isThere && !isNamed && meansPostgres(root))
    throw new Error(
      'This project keeps its data in PostgreSQL, and none is here: PGHOST is not set. Where it is to be SQLite, say "database": "sqlite" in treadle.json.',
    );
  const hadFolder = existsSync(dirname(path));
  const database = openSqlite(root, file);
  return {
    database,
    async close() {
      const isLeft = isThere || database.hasTables();
      await database.close();
      if (isLeft) return undefined;
      for (const ending of ["", ...BESIDE_SQLITE]) rmSync(path + ending, { force: true });
      if (!hadFolder) rmdirSync(dirname(path));
      return env.PGHOST
        ? `The app has no database in SQLite yet. PostgreSQL answers at ${env.PGHOST}:${env.PGPORT ?? 5432}: with pg in a package.json, or "database": "postgres" in treadle.json, treadle-db asks that.`
        : undefined;
    },
  };
}
