import type { DatabaseSync, SQLInputValue } from "node:sqlite";
import type { Cell, DatabaseAnswer, DatabaseQuestion, Table } from "@treadle/protocol";
import type { fitCells } from "../inside/fit-cells.ts";

/**
 * Answers one query about a SQLite file. Runs in the project's sandbox, since the file is the
 * app's: its source text is sent there, so it must not use anything declared outside of it.
 * @param Database the class of `node:sqlite`
 * @param fit `fitCells` itself
 * @throws Error with SQLite's message, or one for people
 */
export function answerQuestion(
  Database: typeof DatabaseSync,
  file: string,
  question: DatabaseQuestion,
  fit: typeof fitCells,
): DatabaseAnswer {
  const MOST_ROWS = 100;
  const MOST_SQL_ROWS = 500;
  const MOST_TEXT = 2_000;
  const reads = question.ask === "tables" || question.ask === "rows";
  const database = new Database(file, { readOnly: reads, timeout: 5_000, readBigInts: true });
  const quoted = (name: string) => `"${name.replaceAll('"', '""')}"`;

  const toCell = (value: unknown, most = MOST_TEXT): Cell => {
    if (value === null || value === undefined) return null;
    if (typeof value === "bigint") {
      const number = Number(value);
      return Number.isSafeInteger(number) ? number : { integer: String(value) };
    }
    if (typeof value === "string")
      return value.length > most ? { long: value.slice(0, most), length: value.length } : value;
    if (value instanceof Uint8Array) return { bytes: value.length };
    // JSON cannot represent infinite numbers.
    return Number.isFinite(value) ? (value as number) : String(value);
  };

  const cellsOf = (values: unknown[][], isPage: boolean) =>
    fit(values, { isPage, longest: MOST_TEXT, toCell });

  // A view may be broken, or a table need a missing extension: the others are still listed.
  const unless = <Told, Else>(read: () => Told, otherwise: Else): Told | Else => {
    try {
      return read();
    } catch {
      return otherwise;
    }
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
        // A slow view cannot be interrupted.
        rows: type === "view" ? undefined : unless(() => countOf(String(name)), undefined),
        columns: unless(() => columnsOf(String(name)), []),
      }));

  const countOf = (table: string) =>
    Number(database.prepare(`SELECT count(*) AS n FROM ${quoted(table)}`).get()!.n);

  const columnsOf = (table: string) =>
    database
      .prepare("SELECT name, type, pk FROM pragma_table_xinfo(?) WHERE hidden <> 1")
      .all(table)
      .map(({ name, type, pk }) => ({
        name: String(name),
        type: String(type),
        key: Number(pk) > 0,
      }));

  /** The name of SQLite's row number for a table; undefined if its rows have none. */
  const rowNumberOf = (table: string): string | undefined => {
    const taken = new Set(columnsOf(table).map(({ name }) => name.toLowerCase()));
    const name = ["_rowid_", "rowid", "oid"].find((one) => !taken.has(one));
    if (name === undefined) return undefined;
    try {
      // A view returns null for it, and a table without row numbers fails.
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
    if (!/^-?\d+$/.test(row)) throw new Error("This is not a row of this table.");
    return BigInt(row);
  };

  const numbered = (table: string): string => {
    const name = rowNumberOf(table);
    if (name === undefined)
      throw new Error(
        `Single rows of “${table}” have no number that identifies them: change them by SQL.`,
      );
    return name;
  };

  // A single long chain would exceed SQLite's depth limit.
  const anyOf = (tests: string[]): string => {
    if (tests.length < 3) return tests.join(" OR ");
    const middle = tests.length >> 1;
    return `(${anyOf(tests.slice(0, middle))}) OR (${anyOf(tests.slice(middle))})`;
  };

  const rows = (asked: Extract<DatabaseQuestion, { ask: "rows" }>): DatabaseAnswer => {
    const from = known(asked.table, asked.order ? [asked.order.column] : []);
    const columns = columnsOf(asked.table).map(({ name }) => name);
    const id = rowNumberOf(asked.table);
    const filter = asked.filter ?? "";
    const where =
      filter === ""
        ? ""
        : ` WHERE ${anyOf(columns.map((name) => `instr(lower(CAST(${quoted(name)} AS TEXT)), lower(?1)) > 0`))}`;
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
      rows: cellsOf(
        found.map((row) => row.slice(0, columns.length)),
        true,
      ),
      ids: id === undefined ? undefined : found.map((row) => String(row[columns.length])),
      total,
      more: asked.offset + found.length < total,
    };
  };

  // A transaction, so that the app cannot write between reading and writing.
  const alone = <Done>(work: () => Done): Done => {
    database.exec("BEGIN IMMEDIATE");
    try {
      const done = work();
      database.exec("COMMIT");
      return done;
    } catch (error) {
      if (database.isTransaction) database.exec("ROLLBACK");
      throw error;
    }
  };

  // The value to write: a column without a type stores values unchanged, so a number has to stay a number.
  const like = (value: unknown, text: string | null): SQLInputValue => {
    if (text === null || (typeof value !== "bigint" && typeof value !== "number")) return text;
    if (/^-?\d{1,18}$/.test(text)) return BigInt(text);
    return /^-?\d+\.\d+$/.test(text) ? Number(text) : text;
  };

  const change = (asked: Extract<DatabaseQuestion, { ask: "change" }>): DatabaseAnswer => {
    const table = known(asked.table, [asked.column]);
    const [id, column] = [numbered(asked.table), quoted(asked.column)];
    const row = database
      .prepare(`SELECT ${column} AS value FROM ${table} WHERE ${id} = ?`)
      .get(idOf(asked.row));
    if (!row) throw new Error("This row no longer exists.");
    if (JSON.stringify(toCell(row.value)) !== JSON.stringify(asked.was))
      throw new Error("Somebody has changed this value meanwhile. Nothing was written.");
    const { changes } = database
      .prepare(`UPDATE ${table} SET ${column} = ? WHERE ${id} = ?`)
      .run(like(row.value, asked.to), idOf(asked.row));
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
    if (Number(changes) === 0) throw new Error("This row no longer exists.");
    return { changed: Number(changes) };
  };

  /** The next statement of a text, and the rest; undefined if there is none. */
  const next = (text: string) => {
    try {
      const statement = database.prepare(text);
      return { statement, rest: text.slice(statement.sourceSQL.length) };
    } catch (error) {
      if ((error as { code?: string }).code === "ERR_INVALID_ARG_VALUE") return undefined;
      throw error;
    }
  };

  const OWN_TRANSACTION =
    /^(?:[\s;]+|--[^\n]*(?:\n|$)|\/\*[^]*?\*\/)*(?:BEGIN|COMMIT|END|ROLLBACK|SAVEPOINT|RELEASE)\b/i;

  const sql = (asked: Extract<DatabaseQuestion, { ask: "sql" }>): DatabaseAnswer => {
    const written = database.prepare("SELECT total_changes() AS n");
    const count = () => Number(written.get()!.n);
    let changed = 0;
    let shown: { columns: string[]; rows: unknown[][]; more: boolean } | undefined;
    const run = ({ statement }: NonNullable<ReturnType<typeof next>>) => {
      if (OWN_TRANSACTION.test(statement.sourceSQL))
        throw new Error("It already runs in a transaction: leave out BEGIN, COMMIT and the like.");
      const columns = statement.columns().map(({ name }) => name);
      if (columns.length === 0) {
        const before = count();
        const changes = Number(statement.run().changes);
        const all = count() - before;
        // Changes by triggers are not counted, except for a view, which only triggers can change.
        changed += all === 0 ? 0 : changes || all;
        return;
      }
      shown = { columns, rows: [], more: false };
      statement.setReturnArrays(true);
      for (const row of statement.iterate()) {
        shown.more = shown.rows.length === MOST_SQL_ROWS;
        if (shown.more) break;
        shown.rows.push(row as unknown as unknown[]);
      }
    };
    const first = next(asked.sql);
    if (!first) throw new Error("There is no statement in it.");
    // Some, such as VACUUM, cannot run in a transaction; several run all or none.
    if (!unless(() => next(first.rest), first)) run(first);
    else
      alone(() => {
        for (let one: typeof first | undefined = first; one; one = next(one.rest)) run(one);
      });
    if (!shown) return { changed };
    const cells = cellsOf(shown.rows, false);
    return {
      columns: shown.columns,
      rows: cells,
      more: shown.more || cells.length < shown.rows.length,
    };
  };

  try {
    switch (question.ask) {
      case "tables":
        return { tables: tables() };
      case "rows":
        return rows(question);
      case "change":
        return alone(() => change(question));
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
