import { mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { dirname } from "node:path";
import { escapeIdentifier, type Client } from "pg";
import { columnsNamed, csvField, isBlank, readCsv, withHead } from "./csv.ts";
import { queryRows } from "./connect-postgres.ts";
import { known } from "./postgres-relations.ts";

/** Number of rows read at once. */
const AT_ONCE = 1_000;

interface Column {
  name: string;
  /** The sequence that generates its values. */
  sequence: string | null;
}

/** The columns of a table that are not generated. */
async function writable(client: Client, quoted: string): Promise<Column[]> {
  const { rows } = await queryRows(
    client,
    `SELECT attname, pg_get_serial_sequence($1, attname) FROM pg_attribute
     WHERE attrelid = $1::regclass AND attnum > 0 AND NOT attisdropped AND attgenerated = '' ORDER BY attnum`,
    [quoted],
  );
  return (rows as [string, string | null][]).map(([name, sequence]) => ({ name, sequence }));
}

/** Advances the sequence, so that the app's next row gets none of the imported numbers. */
const countOn = (client: Client, sequence: string, last: string) =>
  client.query(
    `SELECT setval('${sequence.replaceAll("'", "''")}', last) FROM (SELECT ${last}) AS given
     WHERE last >= (SELECT last_value FROM ${sequence})`,
  );

/**
 * Writes a table to a CSV file.
 * @returns a sentence about the result
 */
export async function tableOut(client: Client, name: string, other: string): Promise<string> {
  const { quoted } = await known(client, name, []);
  const columns = await writable(client, quoted);
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

/**
 * Inserts the rows of a CSV file, whose first line names the columns: all or none.
 * @returns a sentence about the result
 * @throws Error with a message for people
 */
export async function tableIn(client: Client, name: string, other: string): Promise<string> {
  const { names, rows: given } = withHead(readCsv(readFileSync(other)));
  const { quoted } = await known(client, name, []);
  const all = await writable(client, quoted);
  const columns = columnsNamed(
    names,
    name,
    all.map((one) => one.name),
  );
  // An empty line is a row only in a table with a single column, and a slip in any other.
  const rows = given.filter((row) => all.length === 1 || !isBlank(row));
  const places = columns.map((_, at) => `$${at + 1}`).join(", ");
  const sql = `INSERT INTO ${quoted} (${columns.map(escapeIdentifier).join(", ")}) OVERRIDING SYSTEM VALUE VALUES (${places})`;
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
  for (const { name: column, sequence } of all)
    if (sequence !== null && columns.includes(column))
      await countOn(client, sequence, `max(${escapeIdentifier(column)}) AS last FROM ${quoted}`);
  await client.query("COMMIT");
  return `Added ${rows.length} ${rows.length === 1 ? "row" : "rows"} to ${name}.`;
}
