import { mkdtempSync, rmSync } from "node:fs";
import { DatabaseSync } from "node:sqlite";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { Cell, DatabaseQuestion, Table } from "@treadle/protocol";
import { fitCells } from "../inside/fit-cells.ts";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { answerQuestion } from "./answer-question.ts";

let folder: string;
let file: string;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), "treadle-database-"));
  file = join(folder, "app.db");
  const database = new DatabaseSync(file);
  database.exec(`
    CREATE TABLE guests (id INTEGER PRIMARY KEY, name TEXT NOT NULL, age INTEGER, photo BLOB);
    CREATE TABLE "odd "" name" ("a b" TEXT, rowid TEXT, _rowid_ TEXT, oid TEXT);
    CREATE TABLE pairs (a TEXT, b TEXT, PRIMARY KEY (a, b)) WITHOUT ROWID;
    CREATE VIEW old AS SELECT name FROM guests WHERE age > 40;
    INSERT INTO guests VALUES (1, 'Ada', 36, x'0102'), (2, 'Grace', 85, NULL), (3, '100%', NULL, NULL);
    INSERT INTO pairs VALUES ('x', 'y');
    INSERT INTO "odd "" name" VALUES ('1', '2', '3', '4');
  `);
  database.close();
});
afterEach(() => rmSync(folder, { recursive: true, force: true }));

const ask = (question: DatabaseQuestion) => answerQuestion(DatabaseSync, file, question, fitCells);
const rows = (table: string, more: { filter?: string; offset?: number } = {}) =>
  ask({ ask: "rows", table, offset: 0, ...more });
const sql = (text: string) => ask({ ask: "sql", sql: text });

describe("a database of an app", () => {
  it("lists its tables and views, with columns and row counts", () => {
    expect(ask({ ask: "tables" })).toMatchObject({
      tables: [
        {
          name: "guests",
          kind: "table",
          rows: 3,
          columns: [
            { name: "id", type: "INTEGER", key: true },
            { name: "name", type: "TEXT", key: false },
            { name: "age" },
            { name: "photo", type: "BLOB" },
          ],
        },
        { name: 'odd " name', rows: 1 },
        { name: "pairs", rows: 1 },
        { name: "old", kind: "view", rows: undefined, columns: [{ name: "name" }] },
      ],
    });
  });

  it("lists the others if a view is broken or slow", () => {
    sql("CREATE TABLE gone (x); CREATE VIEW left AS SELECT * FROM gone; DROP TABLE gone");
    sql(
      "CREATE VIEW endless AS WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n) SELECT i FROM n",
    );
    const answer = ask({ ask: "tables" }) as { tables: Table[] };
    expect(answer.tables.map(({ name, rows }) => [name, rows])).toEqual([
      ["guests", 3],
      ['odd " name', 1],
      ["pairs", 1],
      ["endless", undefined],
      ["left", undefined],
      ["old", undefined],
    ]);
    expect(() => rows("left")).toThrow("no such table: main.gone");
  });

  it("lists all columns of a wide table", () => {
    const names = Array.from({ length: 300 }, (_, at) => `c${at}`);
    sql(`CREATE TABLE wide (${names.join()}); INSERT INTO wide (c299) VALUES ('last')`);
    expect(rows("wide", { filter: "last" })).toMatchObject({ columns: names, total: 1 });
  });

  it("finds a text in the last column of a table with more columns than SQLite allows in one condition", () => {
    sql(`CREATE TABLE wide (${Array.from({ length: 1_900 }, (_, at) => `c${at}`).join(", ")})`);
    sql("INSERT INTO wide (c0, c1899) VALUES ('first', 'Last'), ('other', NULL)");
    expect(rows("wide", { filter: "last" })).toMatchObject({ total: 1, ids: ["1"] });
    expect(rows("wide", { filter: "none" })).toMatchObject({ total: 0 });
  });

  it("shortens texts if there are many, so that there is an answer", () => {
    sql(
      "CREATE TABLE texts (a, b, c, d, e, f); WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 600) INSERT INTO texts SELECT t, t, t, t, t, t FROM n, (SELECT replace(printf('%.*c', 1900, 'x'), 'x', '文') AS t)",
    );
    const page = rows("texts") as { rows: Cell[][]; total: number };
    expect([page.rows.length, page.total]).toEqual([100, 600]);
    expect(page.rows[0]![0]).toEqual({ long: "文".repeat(500), length: 1_900 });
    expect(page.rows[99]![5]).toEqual(page.rows[0]![0]);
    const all = sql("SELECT * FROM texts") as { rows: Cell[][]; more: boolean };
    expect([all.rows.length, all.more]).toEqual([500, true]);
    const many = Array.from({ length: 1_000 }, (_, at) => `12345678 AS a${at}`).join();
    const wide = sql(`SELECT ${many} FROM texts LIMIT 450`) as { rows: Cell[][]; more: boolean };
    expect(wide.more).toBe(true);
    expect(JSON.stringify(wide.rows).length).toBeLessThan(3_000_001);
    expect(wide.rows.length).toBeGreaterThan(50);
  });

  it("returns rows as stored, each with its identification", () => {
    expect(rows("guests")).toEqual({
      columns: ["id", "name", "age", "photo"],
      rows: [
        [1, "Ada", 36, { bytes: 2 }],
        [2, "Grace", 85, null],
        [3, "100%", null, null],
      ],
      ids: ["1", "2", "3"],
      total: 3,
      more: false,
    });
    for (const table of ['odd " name', "pairs", "old"])
      expect(rows(table)).toHaveProperty("ids", undefined);
    const order = { column: "age", descending: true };
    expect(ask({ ask: "rows", table: "guests", order, offset: 1 })).toMatchObject({
      ids: ["1", "3"],
    });
  });

  it("finds a text in any column, without treating it as a pattern", () => {
    expect(rows("guests", { filter: "gRa" })).toMatchObject({ ids: ["2"], total: 1 });
    expect(rows("guests", { filter: "%" })).toMatchObject({ ids: ["3"] });
    expect(rows("guests", { filter: "'; DROP TABLE guests; --" })).toMatchObject({ total: 0 });
  });

  it("returns a hundred rows at a time, shortened texts, and exact integers", () => {
    sql(
      "WITH RECURSIVE n(i) AS (SELECT 10 UNION ALL SELECT i + 1 FROM n WHERE i < 159) INSERT INTO guests (id, name) SELECT i, 'n' FROM n",
    );
    sql("UPDATE guests SET name = printf('%.*c', 5000, 'x'), age = 9007199254740993 WHERE id = 1");
    const first = rows("guests") as { rows: unknown[][]; total: number; more: boolean };
    expect([first.rows.length, first.total, first.more]).toEqual([100, 153, true]);
    expect(first.rows[0]).toMatchObject([1, { length: 5000 }, { integer: "9007199254740993" }, {}]);
    expect(rows("guests", { offset: 100 })).toMatchObject({ more: false });
  });

  it("changes a value only if it is still the displayed one, adds and removes rows", () => {
    const change = { ask: "change", table: "guests", row: "2", column: "name" } as const;
    expect(ask({ ...change, was: "Grace", to: "Grace H." })).toEqual({ changed: 1 });
    expect(() => ask({ ...change, was: "Grace", to: "Eve" })).toThrow("Somebody has changed");
    expect(() => ask({ ...change, row: "9", was: null, to: "Eve" })).toThrow("no longer exists");
    expect(() => ask({ ...change, was: "Grace H.", to: null })).toThrow("NOT NULL");
    ask({ ask: "change", table: "guests", row: "3", column: "age", was: null, to: "41" });
    expect(ask({ ask: "add", table: "guests", values: { name: "Eve", age: "7" } })).toEqual({
      changed: 1,
    });
    expect(ask({ ask: "remove", table: "guests", row: "1" })).toEqual({ changed: 1 });
    expect(() => ask({ ask: "remove", table: "guests", row: "1" })).toThrow("no longer exists");
    expect(rows("guests")).toMatchObject({
      rows: [
        [2, "Grace H.", 85, null],
        [3, "100%", 41, null],
        [4, "Eve", 7, null],
      ],
    });
    expect(() => ask({ ask: "remove", table: "pairs", row: "1" })).toThrow("by SQL");
  });

  it("keeps a number a number in a column without a type", () => {
    sql("CREATE TABLE loose (a); INSERT INTO loose VALUES (9007199254740993), (1.5), ('7')");
    const change = { ask: "change", table: "loose", column: "a" } as const;
    ask({ ...change, row: "1", was: { integer: "9007199254740993" }, to: "9007199254740995" });
    ask({ ...change, row: "2", was: 1.5, to: "2.25" });
    ask({ ...change, row: "3", was: "7", to: "8" });
    expect(sql("SELECT typeof(a), CAST(a AS TEXT) FROM loose")).toMatchObject({
      rows: [
        ["integer", "9007199254740995"],
        ["real", "2.25"],
        ["text", "8"],
      ],
    });
    ask({ ...change, row: "2", was: 2.25, to: "two" });
    expect(sql("SELECT a FROM loose WHERE rowid = 2")).toMatchObject({ rows: [["two"]] });
  });

  it("names what does not exist", () => {
    expect(() => rows("nobody")).toThrow("There is no table “nobody”.");
    expect(() => ask({ ask: "add", table: "guests", values: { "x) --": "1" } })).toThrow(
      "has no column “x) --”",
    );
  });

  it("answers SQL with rows or with the number of changes", () => {
    expect(sql("SELECT name, age FROM guests WHERE age > 40 -- ; old")).toEqual({
      columns: ["name", "age"],
      rows: [["Grace", 85]],
      more: false,
    });
    expect(sql("UPDATE guests SET age = 1 WHERE name LIKE 'a;%' OR age > 0")).toEqual({
      changed: 2,
    });
    expect(sql("DELETE FROM guests WHERE id = 1 RETURNING name")).toMatchObject({
      rows: [["Ada"]],
    });
    expect(sql("SELECT ';' AS a, 1 AS a;")).toMatchObject({ rows: [[";", 1]] });
    expect(() => sql("SELEC 1")).toThrow("syntax error");
  });

  it("counts requested changes, and not those of triggers and rules", () => {
    sql(`CREATE TABLE log (x); CREATE TABLE begins (id INTEGER PRIMARY KEY, begin TEXT);
      CREATE TABLE own (of INTEGER REFERENCES begins ON DELETE CASCADE);
      CREATE TRIGGER kept AFTER INSERT ON begins BEGIN INSERT INTO log VALUES (NEW.begin), (2); END;
      CREATE VIEW seen AS SELECT * FROM begins;
      CREATE TRIGGER through INSTEAD OF DELETE ON seen BEGIN DELETE FROM begins WHERE id = OLD.id; END`);
    expect(sql("INSERT INTO begins VALUES (1, 'a'), (2, 'b')")).toEqual({ changed: 2 });
    expect(sql("INSERT INTO begins VALUES (3, 'c'); INSERT INTO own VALUES (3), (3)")).toEqual({
      changed: 3,
    });
    expect(sql("DELETE FROM begins WHERE id = 3; CREATE TABLE more (x)")).toEqual({ changed: 1 });
    expect(sql("CREATE INDEX of_own ON own (of)")).toEqual({ changed: 0 });
    expect(sql("DELETE FROM seen WHERE id = 1")).toEqual({ changed: 1 });
    expect(sql("SELECT count(*) FROM log")).toMatchObject({ rows: [[6]] });
  });

  it("refuses text that ends its own transaction, before anything is stored", () => {
    expect(() => sql("DELETE FROM guests; COMMIT; SELEC")).toThrow(
      "leave out BEGIN, COMMIT and the",
    );
    expect(() => sql("/* a */; BEGIN")).toThrow("leave out BEGIN, COMMIT and the like");
    expect(rows("guests")).toMatchObject({ total: 3 });
    expect(sql("VACUUM; -- alone")).toEqual({ changed: 0 });
    expect(() => sql(" -- nothing")).toThrow("There is no statement in it.");
  });

  it("returns the last rows of several statements, once all have run", () => {
    expect(sql("DELETE FROM pairs; SELECT 1; SELECT name FROM guests; DELETE FROM guests")).toEqual(
      { columns: ["name"], rows: [["Ada"], ["Grace"], ["100%"]], more: false },
    );
    expect(rows("guests")).toMatchObject({ total: 0 });
  });

  it("runs several statements, all or none", () => {
    expect(sql("DELETE FROM pairs; DELETE FROM guests WHERE id < 3;")).toEqual({ changed: 3 });
    expect(() => sql("DELETE FROM guests; DELETE FROM nobody")).toThrow("no such table");
    expect(rows("guests")).toMatchObject({ total: 1 });
  });

  it("writes nothing when reading, and creates no file", () => {
    expect(() =>
      answerQuestion(DatabaseSync, join(folder, "new.db"), { ask: "tables" }, fitCells),
    ).toThrow("unable to open");
  });
});
