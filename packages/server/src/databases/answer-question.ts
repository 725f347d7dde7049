import type { DatabaseSync, SQLInputValue } from "node:sqlite";
import type { Cell, DatabaseAnswer, DatabaseQuestion, Table } from "@treadle/protocol";

/**
 * Answers one question about a SQLite file. It runs in the project's sandbox, since the file is the app's: its text is
 * handed in there, so that it names nothing from outside of itself.
 * @param Database the class of `node:sqlite`
 * @throws Error with SQLite's words, or with a sentence
 */
export function answerQuestion(
  Database: typeof DatabaseSync,
  file: string,
  question: DatabaseQuestion,
): DatabaseAnswer {
  const MOST_ROWS = 100;
  const MOST_SQL_ROWS = 500;
  const MOST_TEXT = 2_000;
  const reads = question.ask === "tables" || question.ask === "rows";
  const database = new Database(file, { readOnly: reads, timeout: 5_000, readBigInts: true });
  const quoted = (name: string) => `"${name.replaceAll('"', '""')}"`;

  const toCell = (value: unknown): Cell => {
    if (value === null || value === undefined) return null;
    if (typeof value === "bigint") {
      const number = Number(value);
      return Number.isSafeInteger(number) ? number : { integer: String(value) };
    }
    if (typeof value === "string")
      return value.length > MOST_TEXT
        ? { long: value.slice(0, MOST_TEXT), length: value.length }
        : value;
    if (value instanceof Uint8Array) return { bytes: value.length };
    // JSON has no word for what is no finite number.
    return Number.isFinite(value) ? (value as number) : String(value);
  };

  const tables = (): Table[] =>
    database
      .prepare(
        "SELECT name, type FROM sqlite_schema WHERE type IN ('table', 'view') AND name NOT LIKE 'sqlite\\_%' ESCAPE '\\' ORDER BY type, name LIMIT 200",
      )
      .all()
      .map(({ name, type }) => ({
        name: String(name),
        kind: type === "view" ? ("view" as const) : ("table" as const),
        rows: Number(
          database.prepare(`SELECT count(*) AS n FROM ${quoted(String(name))}`).get()!.n,
        ),
        columns: columnsOf(String(name)),
      }));

  const columnsOf = (table: string) =>
    database
      .prepare("SELECT name, type, pk FROM pragma_table_xinfo(?) WHERE hidden <> 1 LIMIT 200")
      .all(table)
      .map(({ name, type, pk }) => ({
        name: String(name),
        type: String(type),
        key: Number(pk) > 0,
      }));

  /** The name under which SQLite has the number of a row; undefined where the table's rows have none. */
  const rowNumberOf = (table: string): string | undefined => {
    const taken = new Set(columnsOf(table).map(({ name }) => name.toLowerCase()));
    const name = ["_rowid_", "rowid", "oid"].find((one) => !taken.has(one));
    if (name === undefined) return undefined;
    try {
      // A view answers it with null, a table without such numbers not at all.
      const row = database.prepare(`SELECT ${name} AS id FROM ${quoted(table)} LIMIT 1`).get();
      const isView = database
        .prepare("SELECT 1 FROM sqlite_schema WHERE type = 'view' AND name = ?")
        .get(table);
      return isView || (row && row.id === null) ? undefined : name;
    } catch {
      return undefined;
    }
  };

  const known = (table: string, columns: string[]): string => {
    const found = columnsOf(table);
    if (found.length === 0) throw new Error(`There is no table “${table}”.`);
    for (const column of columns)
      if (!found.some(({ name }) => name === column))
        throw new Error(`The table “${table}” has no column “${column}”.`);
    return quoted(table);
  };

  const idOf = (row: string): bigint => {
    if (!/^-?\d+$/.test(row)) throw new Error("This is no row of this table.");
    return BigInt(row);
  };

  const numbered = (table: string): string => {
    const name = rowNumberOf(table);
    if (name === undefined)
      throw new Error(
        `Single rows of “${table}” have no number to be found by: change them by SQL.`,
      );
    return name;
  };

  const rows = (asked: Extract<DatabaseQuestion, { ask: "rows" }>): DatabaseAnswer => {
    const from = known(asked.table, asked.order ? [asked.order.column] : []);
    const columns = columnsOf(asked.table).map(({ name }) => name);
    const id = rowNumberOf(asked.table);
    const filter = asked.filter ?? "";
    const where =
      filter === ""
        ? ""
        : ` WHERE ${columns.map((name) => `instr(lower(CAST(${quoted(name)} AS TEXT)), lower(?1)) > 0`).join(" OR ")}`;
    const values: SQLInputValue[] = filter === "" ? [] : [filter];
    const order = asked.order
      ? ` ORDER BY ${quoted(asked.order.column)}${asked.order.descending ? " DESC" : ""}`
      : id === undefined
        ? ""
        : ` ORDER BY ${id}`;
    const picked = columns.map(quoted).join(", ");
    const statement = database.prepare(
      `SELECT ${picked}${id === undefined ? "" : `, ${id}`} FROM ${from}${where}${order} LIMIT ${MOST_ROWS} OFFSET ${Math.trunc(asked.offset)}`,
    );
    statement.setReturnArrays(true);
    const found = statement.all(...values) as unknown as unknown[][];
    const total = Number(
      database.prepare(`SELECT count(*) AS n FROM ${from}${where}`).get(...values)!.n,
    );
    return {
      columns,
      rows: found.map((row) => row.slice(0, columns.length).map(toCell)),
      ...(id !== undefined && { ids: found.map((row) => String(row[columns.length])) }),
      total,
      more: asked.offset + found.length < total,
    };
  };

  const change = (asked: Extract<DatabaseQuestion, { ask: "change" }>): DatabaseAnswer => {
    const table = known(asked.table, [asked.column]);
    const [id, column] = [numbered(asked.table), quoted(asked.column)];
    const row = database
      .prepare(`SELECT ${column} AS value FROM ${table} WHERE ${id} = ?`)
      .get(idOf(asked.row));
    if (!row) throw new Error("This row is not there any more.");
    if (JSON.stringify(toCell(row.value)) !== JSON.stringify(asked.was))
      throw new Error("Somebody has changed this value meanwhile. Nothing was written.");
    const { changes } = database
      .prepare(`UPDATE ${table} SET ${column} = ? WHERE ${id} = ?`)
      .run(asked.to, idOf(asked.row));
    return { changed: Number(changes) };
  };

  const add = (asked: Extract<DatabaseQuestion, { ask: "add" }>): DatabaseAnswer => {
    const names = Object.keys(asked.values);
    const table = known(asked.table, names);
    const values =
      names.length === 0
        ? "DEFAULT VALUES"
        : `(${names.map(quoted).join(", ")}) VALUES (${names.map(() => "?").join(", ")})`;
    const { changes } = database
      .prepare(`INSERT INTO ${table} ${values}`)
      .run(...Object.values(asked.values));
    return { changed: Number(changes) };
  };

  const remove = (asked: Extract<DatabaseQuestion, { ask: "remove" }>): DatabaseAnswer => {
    const table = known(asked.table, []);
    const { changes } = database
      .prepare(`DELETE FROM ${table} WHERE ${numbered(asked.table)} = ?`)
      .run(idOf(asked.row));
    if (Number(changes) === 0) throw new Error("This row is not there any more.");
    return { changed: Number(changes) };
  };

  const sql = (asked: Extract<DatabaseQuestion, { ask: "sql" }>): DatabaseAnswer => {
    // Names, texts and remarks may hold a semicolon; what is left of one that ends the statement is a second one.
    const bare = asked.sql.replaceAll(
      /'(?:[^']|'')*'|"(?:[^"]|"")*"|`[^`]*`|\[[^\]]*\]|--[^\n]*|\/\*[^]*?\*\//g,
      " ",
    );
    const isOne = !/;\s*\S/.test(bare);
    const statement = isOne ? database.prepare(asked.sql) : undefined;
    const columns = statement?.columns().map(({ name }) => name) ?? [];
    if (statement && columns.length > 0) {
      statement.setReturnArrays(true);
      const found: Cell[][] = [];
      for (const row of statement.iterate()) {
        if (found.length === MOST_SQL_ROWS) return { columns, rows: found, more: true };
        found.push((row as unknown as unknown[]).map(toCell));
      }
      return { columns, rows: found, more: false };
    }
    const count = () => Number(database.prepare("SELECT total_changes() AS n").get()!.n);
    const before = count();
    if (statement) statement.run();
    else {
      // All of them or none.
      database.exec("BEGIN");
      try {
        database.exec(asked.sql);
        database.exec("COMMIT");
      } catch (error) {
        if (database.isTransaction) database.exec("ROLLBACK");
        throw error;
      }
    }
    return { changed: count() - before };
  };

  try {
    switch (question.ask) {
      case "tables":
        return { tables: tables() };
      case "rows":
        return rows(question);
      case "change":
        return change(question);
      case "add":
        return add(question);
      case "remove":
        return remove(question);
      case "sql":
        return sql(question);
    }
  } finally {
    database.close();
  }
}
