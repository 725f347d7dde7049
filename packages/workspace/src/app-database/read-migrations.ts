import { createHash } from "node:crypto";
import { readdirSync, readFileSync, statSync } from "node:fs";
import { join } from "node:path";
import { migrationNumber, numberLike } from "./plan-migrations.ts";
import { textOf } from "./text-of.ts";
import type { MigrationFile } from "./types.ts";

/** Where migrations stand: Treadle's own place, and that of bolt and Supabase. */
export const MIGRATION_FOLDERS = ["migrations", "supabase/migrations"];
const SEEDS = ["seed.sql", "migrations/seed.sql", "supabase/seed.sql", "db/seed.sql"];
/** Bytes of one file of SQL. */
const FILE_SIZE = 4 * 1024 * 1024;
const MOST_FILES = 2_000;

/** @returns in the order of their numbers; or a sentence that says what is wrong with them */
export function readMigrations(root: string): MigrationFile[] | { problem: string } {
  const found = MIGRATION_FOLDERS.map((folder) => ({ folder, names: sqlIn(join(root, folder)) }));
  const used = found.filter(({ names }) => names.length > 0);
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

/** The file of example rows, where there is one. It has the number -1 among what has run. */
export function readSeed(root: string): MigrationFile | undefined {
  for (const path of SEEDS) {
    const stat = statSync(join(root, path), { throwIfNoEntry: false });
    const bytes = stat?.isFile() ? readSql(root, path) : undefined;
    if (!bytes) continue;
    const digest = createHash("sha256").update(bytes).digest("hex");
    return { number: -1, name: "seed.sql", path, sql: textOf(bytes), digest };
  }
  return undefined;
}

function sqlIn(folder: string): string[] {
  try {
    return readdirSync(folder, { withFileTypes: true })
      .filter((entry) => entry.isFile() && /\.sql$/i.test(entry.name) && entry.name !== "seed.sql")
      .map(({ name }) => name)
      .toSorted();
  } catch {
    return [];
  }
}

function readSql(root: string, path: string): Buffer | undefined {
  const file = join(root, path);
  return statSync(file).size > FILE_SIZE ? undefined : readFileSync(file);
}
