import { readdirSync, rmSync, statSync } from "node:fs";
import { join } from "node:path";

/** Where copies of the app's databases lie that are made before something changes one, below the project's folder. */
export const COPIES = ".data/copies";
/** Copies of one database that stay. */
const RETAINED = 3;

/** How the names of a database's copies begin. */
const beginningOf = (database: string) => `${database}-before-`;

/** The file name of the copy that is made of a database before `change`, which is put into a form that any disk takes. */
export function copyName(database: string, change: string, extension: ".db" | ".sql"): string {
  return `${beginningOf(database)}${change.replaceAll(/[^\w.-]/g, "-")}${extension}`;
}

/** Removes the oldest copies of one database from the folder, and leaves those of others. */
export function retainNewest(folder: string, database: string): void {
  const copies = readdirSync(folder)
    .filter((name) => name.startsWith(beginningOf(database)) && /\.(?:db|sql)$/.test(name))
    .map((name) => ({ name, at: statSync(join(folder, name)).mtimeMs }))
    .toSorted((a, b) => b.at - a.at);
  for (const { name } of copies.slice(RETAINED)) rmSync(join(folder, name), { force: true });
}
