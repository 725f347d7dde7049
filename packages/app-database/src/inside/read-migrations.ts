import { createHash } from "node:crypto";
import { readdirSync, readFileSync, statSync, type Dirent } from "node:fs";
import { dirname, join } from "node:path";
import {
  MIGRATION_FOLDERS,
  chooseFolders,
  isIgnored,
  migrationFolderOf,
  migrationNumber,
  numberLike,
  type MigrationFile,
} from "@treadle/workspace/data-conventions";
import { textOf } from "./text-of.ts";

const SEEDS = ["seed.sql", "migrations/seed.sql", "supabase/seed.sql", "db/seed.sql"];
/** Maximum size of an SQL file, in bytes. */
const FILE_SIZE = 4 * 1024 * 1024;
const MOST_FILES = 2_000;
/** Maximum number of folders searched for migrations. */
const MOST_FOLDERS = 200;

/** @returns the migrations in numerical order, or a message about what is wrong with them */
export function readMigrations(root: string): MigrationFile[] | { problem: string } {
  const used = foldersIn(root).map((folder) => ({ folder, names: sqlIn(join(root, folder)) }));
  if (used.length > 1)
    return {
      problem: `There are migrations in ${used.map(({ folder }) => `${folder}/`).join(" and in ")}: keep all of them in one.`,
    };
  const { folder = "", names = [] } = used[0] ?? {};
  if (names.length > MOST_FILES)
    return { problem: `${folder}/ holds more than ${MOST_FILES} migrations.` };
  const files: MigrationFile[] = [];
  for (const name of names) {
    const path = `${folder}/${name}`;
    const number = migrationNumber(name);
    if (number === undefined) {
      const last = names.findLast((one) => migrationNumber(one) !== undefined) ?? "0000";
      const free = numberLike((migrationNumber(last) ?? 0) + 1, last);
      return {
        problem: `${path} has no number to run by: call it ${free}_${name}.`,
      };
    }
    const bytes = readSql(root, path);
    if (!bytes) return { problem: `${path} is larger than ${FILE_SIZE / 1024 / 1024} MB.` };
    const digest = createHash("sha256").update(bytes).digest("hex");
    files.push({ number, name, path, sql: textOf(bytes), digest });
  }
  return files.toSorted((a, b) => a.number - b.number);
}

/**
 * The folder of the package with the migrations, such as `backend`; empty for the project's own.
 */
export function migratedPart(root: string): string {
  const [folder = ""] = foldersIn(root);
  return MIGRATION_FOLDERS.includes(folder) ? "" : dirname(folder).replace(/^\.$/, "");
}

function foldersIn(root: string): string[] {
  const places = [
    ...MIGRATION_FOLDERS,
    ...subfolders(root, "", 2).map((one) => `${one}/migrations`),
  ];
  return chooseFolders(
    places.filter((folder) =>
      sqlIn(join(root, folder)).some((name) => migrationFolderOf(`${folder}/${name}`) === folder),
    ),
  );
}

/** Subfolders down to a depth, as relative paths. */
function subfolders(root: string, below: string, depth: number): string[] {
  if (depth === 0) return [];
  return listed(join(root, below))
    .filter((entry) => entry.isDirectory() && !entry.name.startsWith(".") && !isIgnored(entry.name))
    .map(({ name }) => (below === "" ? name : `${below}/${name}`))
    .flatMap((folder) => [folder, ...subfolders(root, folder, depth - 1)])
    .slice(0, MOST_FOLDERS);
}

/** The file of example rows, if any. It is recorded with the number -1. */
export function readSeed(root: string): MigrationFile | undefined {
  const beside = migratedPart(root);
  for (const path of [...SEEDS, ...(beside === "" ? [] : SEEDS.map((one) => `${beside}/${one}`))]) {
    const stat = statSync(join(root, path), { throwIfNoEntry: false });
    const bytes = stat?.isFile() ? readSql(root, path) : undefined;
    if (!bytes) continue;
    const digest = createHash("sha256").update(bytes).digest("hex");
    return { number: -1, name: "seed.sql", path, sql: textOf(bytes), digest };
  }
  return undefined;
}

const sqlIn = (folder: string): string[] =>
  listed(folder)
    .filter((entry) => entry.isFile() && /\.sql$/i.test(entry.name) && entry.name !== "seed.sql")
    .map(({ name }) => name)
    .toSorted();

/** The entries of a folder; empty if it cannot be read. */
function listed(folder: string): Dirent[] {
  try {
    return readdirSync(folder, { withFileTypes: true });
  } catch {
    return [];
  }
}

function readSql(root: string, path: string): Buffer | undefined {
  const file = join(root, path);
  return statSync(file).size > FILE_SIZE ? undefined : readFileSync(file);
}
