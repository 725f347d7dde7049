import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { readStatementLog, writesRows } from "./statement-log.ts";

const text = fc.string({ unit: fc.constantFrom('"', "'", ",", "\n", "\r", "a", "é", " ") });
const quoted = (text: string) => `"${text.replaceAll('"', '""')}"`;
const row = (message: string, user = "myappuser", database = "myapp") =>
  `2026-01-02 10:00:00.000 UTC,${quoted(user)},${quoted(database)},12,"127.0.0.1:5",65,1,"idle",2026-01-02 10:00:00 UTC,3/1,0,LOG,00000,${quoted(message)},,,,,,,,,"","client backend",,0\n`;

describe("the statement log", () => {
  it("returns each statement with its sender, for both protocols", () => {
    const text =
      row("connection authorized: user=myappuser") +
      row("statement: SELECT 1") +
      row("duration: 0.1 ms") +
      row('execute <unnamed>: INSERT INTO "a" VALUES (\'x, "y"\')\nRETURNING id');
    expect(readStatementLog(text)).toEqual([
      { user: "myappuser", database: "myapp", application: "", sql: "SELECT 1" },
      {
        user: "myappuser",
        database: "myapp",
        application: "",
        sql: 'INSERT INTO "a" VALUES (\'x, "y"\')\nRETURNING id',
      },
    ]);
  });

  it("omits an incomplete row", () => {
    const text = row("statement: SELECT 1") + row("statement: SELECT 2");
    for (let end = row("statement: SELECT 1").length; end < text.length; end++)
      expect(readStatementLog(text.slice(0, end))).toHaveLength(1);
  });

  it("returns any statement unchanged, and reads any text", () => {
    fc.assert(
      fc.property(text, text, (sql, other) => {
        expect(readStatementLog(row(`statement: ${sql}`)).map((one) => one.sql)).toEqual([sql]);
        readStatementLog(other);
      }),
    );
  });
});

it.each([
  ["INSERT INTO calls (id) VALUES ($1)", true],
  ["  update calls SET a = 1", true],
  ["delete from calls", true],
  ["COPY calls FROM stdin", true],
  ["-- adds\nINSERT INTO calls DEFAULT VALUES", true],
  ["WITH one AS (INSERT INTO a VALUES (1) RETURNING id) SELECT * FROM one", true],
  ["SELECT 'insert into calls'", false],
  ["WITH one AS (SELECT 'delete from x') SELECT * FROM one", false],
  ["CREATE TABLE calls (id int)", false],
  ["COPY calls TO stdout", false],
  ["BEGIN", false],
])("%j writes rows: %s", (sql, writes) => {
  expect(writesRows(sql)).toBe(writes);
});
