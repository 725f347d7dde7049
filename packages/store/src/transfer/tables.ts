import type { DatabaseSync } from "node:sqlite";

export interface Table {
  name: string;
  columns: string[];
}

/**
 * The tables of a store in an order in which each comes after those that it refers to. Read from the database, so that
 * a table that is added later is moved with the others. The tables of the search index and of migrations are left out:
 * each database has its own.
 */
export function tablesOf(database: DatabaseSync): Table[] {
  const names = database
    .prepare(
      `select name from pragma_table_list
       where schema = 'main' and type = 'table' and name not like 'sqlite\\_%' escape '\\'
         and name not like 'kysely\\_%' escape '\\' order by name`,
    )
    .all()
    .map(({ name }) => String(name));
  const ordered: string[] = [];
  const add = (name: string) => {
    if (ordered.includes(name)) return;
    const references = database.prepare(`select "table" as other from pragma_foreign_key_list(?)`);
    for (const { other } of references.all(name)) if (other !== name) add(String(other));
    ordered.push(name);
  };
  for (const name of names) add(name);
  const columns = database.prepare("select name from pragma_table_info(?)");
  return ordered.map((name) => ({
    name,
    columns: columns.all(name).map((column) => String(column["name"])),
  }));
}

/** A name in SQL, of either database. */
export const quoted = (name: string): string => `"${name.replaceAll('"', '""')}"`;
