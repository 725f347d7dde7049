import { readdirSync } from "node:fs";
import { join } from "node:path";
import { readSmall } from "./read-small.ts";

/** PostgreSQL clients: an app that depends on one of them uses that database. */
export const POSTGRES_CLIENTS = [
  "pg",
  "postgres",
  "pg-promise",
  "slonik",
  "@prisma/adapter-pg",
  "bun-postgres",
];
/**
 * Maximum depth of folders whose package.json is read: an app may be in `server`, or in `apps/api`.
 */
const DEPTH = 2;
const MOST_FOLDERS = 200;
/** Maximum number of bytes read of a file. */
const FILE_BYTES = 1024 * 1024;

/**
 * Whether this project's app stores its data in PostgreSQL: one is available, and the app has a
 * client for it or settings that refer to it. `"database": "postgres"` or `"sqlite"` in
 * `treadle.json` decides explicitly.
 * @param env `DATABASE_FILE` names a SQLite file, which has precedence
 */
export function usesPostgres(root: string, env: NodeJS.ProcessEnv): boolean {
  return Boolean(env.PGHOST) && !env.DATABASE_FILE && meansPostgres(root);
}

/**
 * Whether the project's files indicate that it stores its data in PostgreSQL.
 * @param root absolute
 * @param folders those of `foldersOf`
 */
export function meansPostgres(root: string, folders = foldersOf(root)): boolean {
  const setting = readObject(join(root, "treadle.json")).database;
  if (setting === "postgres" || setting === "sqlite") return setting === "postgres";
  return folders.some((folder) => {
    if (environmentNamesPostgres(folder)) return true;
    const { dependencies, devDependencies } = readObject(join(folder, "package.json"));
    return POSTGRES_CLIENTS.some((name) => has(dependencies, name) || has(devDependencies, name));
  });
}

/** A value that is an address of PostgreSQL, or its default port. */
const POSTGRES_VALUE = /=\s*["']?(?:postgres(?:ql)?:\/\/|5432["']?\s*$)/im;

/**
 * Whether the `.env` of this folder refers to PostgreSQL, under any variable name such as `DATABASE_URL` or `DB_PORT`.
 */
function environmentNamesPostgres(folder: string): boolean {
  return POSTGRES_VALUE.test(readSmall(join(folder, ".env"), FILE_BYTES) ?? "");
}

/**
 * The project's folder and its subfolders down to `DEPTH`, the nearest first, at most `MOST_FOLDERS`.
 * @param root absolute
 */
export function foldersOf(root: string): string[] {
  let level = [root];
  const all = [root];
  for (let depth = 0; depth < DEPTH; depth++) {
    level = level.flatMap((folder) => subfolders(folder)).slice(0, MOST_FOLDERS - all.length);
    all.push(...level);
  }
  return all;
}

function subfolders(folder: string): string[] {
  try {
    return readdirSync(folder, { withFileTypes: true })
      .filter((one) => one.isDirectory() && !/^(?:\.|node_modules$)/.test(one.name))
      .map(({ name }) => join(folder, name))
      .toSorted();
  } catch {
    return [];
  }
}

const has = (dependencies: unknown, name: string) =>
  typeof dependencies === "object" && dependencies !== null && Object.hasOwn(dependencies, name);

/** Reads a JSON object; returns an empty one if the file is missing or contains anything else. */
function readObject(path: string): Record<string, unknown> {
  try {
    const value: unknown = JSON.parse(readSmall(path, FILE_BYTES) ?? "");
    return typeof value === "object" && value !== null ? (value as Record<string, unknown>) : {};
  } catch {
    return {};
  }
}
