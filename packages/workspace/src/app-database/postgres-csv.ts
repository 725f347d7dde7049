import { mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { dirname } from "node:path";
import { escapeIdentifier, type Client } from "pg";
import { csvField, readCsv } from "./csv.ts";
import { queryRows } from "./postgres-database.ts";
import { known } from "./postgres-relations.ts";

/** Rows that are read from the database at a time. */
const AT_ONCE = 1_000;

/** Writes a table as CSV into a file. @returns a sentence */
export async function tableOut(client: Client, name: string, other: string): Promise<string> {
  const { quoted, columns } = await known(client, name, []);
  await client.query("BEGIN READ ONLY");
  const picked = columns.map((column) => escapeIdentifier(column.name)).join(", ");
  await client.query(`DECLARE rows_of_table NO SCROLL CURSOR FOR SELECT ${picked} FROM ${quoted}`);
  mkdirSync(dirname(other), { recursive: true });
  writeFileSync(other, `${columns.map((column) => csvField(column.name)).join(",")}\r\n`);
  let rows = 0;
  for (;;) {
    const some = await queryRows(client, `FETCH ${AT_ONCE} FROM rows_of_table`);
    if (some.rows.length === 0) break;
    rows += some.rows.length;
    const lines = some.rows.map((row) => `${row.map(csvField).join(",")}\r\n`);
    writeFileSync(other, lines.join(""), { flag: "a" });
  }
  return `Wrote ${rows} rows.`;
}

/** Adds the rows of a file of CSV, whose first line names the columns: all or none. @returns a sentence @throws Error with one */
export async function tableIn(client: Client, name: string, other: string): Promise<string> {
  const [head, ...rows] = readCsv(readFileSync(other, "utf8"));
  if (!head) throw new Error("The CSV is empty: its first line names the columns.");
  const { quoted, columns: all } = await known(client, name, []);
  const columns = head.fields.map((field) => {
    const wanted = (field ?? "").trim();
    const found = all.find((one) => one.name.toLowerCase() === wanted.toLowerCase());
    if (found) return found.name;
    const has = all.map((one) => one.name).join(", ");
    throw new Error(
      `The table “${name}” has no column “${wanted}”; it has ${has}. Nothing was added.`,
    );
  });
  const places = columns.map((_, at) => `$${at + 1}`).join(", ");
  const sql = `INSERT INTO ${quoted} (${columns.map(escapeIdentifier).join(", ")}) VALUES (${places})`;
  await client.query("BEGIN");
  for (const { fields, line } of rows) {
    try {
      if (fields.length !== columns.length)
        throw new Error(`${fields.length} fields where the first line has ${columns.length}`);
      await client.query(sql, fields);
    } catch (error) {
      throw new Error(`Line ${line}: ${(error as Error).message}. Nothing was added.`, {
        cause: error,
      });
    }
  }
  await client.query("COMMIT");
  return `Added ${rows.length} ${rows.length === 1 ? "row" : "rows"} to ${name}.`;
}
