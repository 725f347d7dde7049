import { readdirSync, rmSync, statSync } from "node:fs";
import { join } from "node:path";

/** Folder in the project for copies of the app's databases, made before a change. */
export const COPIES = ".data/copies";
/** Number of copies kept per database. */
const RETAINED = 3;

/** Prefix of the names of a database's copies. */
const beginningOf = (database: string) => `${database}-before-`;

/** The file name of a database's copy before `change`, reduced to portable characters. */
export function copyName(database: string, change: string, extension: ".db" | ".sql"): string {
  return `${beginningOf(database)}${change.replaceAll(/[^\w.-]/g, "-")}${extension}`;
}

/** Removes the oldest copies of one database from the folder. */
export function retainNewest(folder: string, database: string): void {
  const copies = readdirSync(folder)
    .filter((name) => name.startsWith(beginningOf(database)) && /\.(?:db|sql)$/.test(name))
    .map((name) => ({ name, at: statSync(join(folder, name)).mtimeMs }))
    .toSorted((a, b) => b.at - a.at);
  for (const { name } of copies.slice(RETAINED)) rmSync(join(folder, name), { force: true });
}
