import { spawn } from "node:child_process";
import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it, onTestFinished } from "vitest";
import { createFolder } from "../../../workspace/src/data-conventions/files-in-folder.test-support.ts";
import type { PostgresAsked } from "./ask-postgres.ts";
import { migrate } from "./migrate.ts";
import { openPostgres } from "./postgres-database.ts";
import {
  postgresPrograms,
  startPostgres,
  type TestPostgres,
} from "../../../workspace/src/testing/postgres.test-support.ts";

const MANIFEST = JSON.stringify({ dependencies: { pg: "8.23.1" } });
const TASKS = `CREATE TABLE tasks (id serial PRIMARY KEY, title text NOT NULL, done boolean NOT NULL DEFAULT false, price numeric(10, 2), at timestamptz, big bigint, face bytea);
CREATE FUNCTION shout(text) RETURNS text AS $$ BEGIN RETURN upper($1); END; $$ LANGUAGE plpgsql;`;

describe.skipIf(postgresPrograms === undefined)(
  "an app's PostgreSQL database (needs a PostgreSQL of this machine)",
  () => {
    let server: TestPostgres;
    const before = { ...process.env };
    beforeAll(async () => {
      server = await startPostgres();
      const { hostname, port, username, password } = new URL(server.url);
      Object.assign(process.env, {
        PGHOST: hostname,
        PGPORT: port,
        PGUSER: username,
        PGPASSWORD: password,
        PGDATABASE: "postgres",
      });
    });
    afterAll(async () => {
      for (const name of Object.keys(process.env)) if (!(name in before)) delete process.env[name];
      Object.assign(process.env, before);
      await server?.close();
    });

    async function open() {
      const database = await openPostgres();
      onTestFinished(() => database.close());
      return database;
    }

    it("runs migrations once each, including functions, and records them", async () => {
      const root = createFolder({ "migrations/0001_tasks.sql": TASKS });
      const database = await open();
      const run = () => migrate(root, database, { seed: false, copy: true });
      expect(await run()).toEqual({
        ok: true,
        lines: ["Ran migrations/0001_tasks.sql on PostgreSQL."],
      });
      expect((await run()).lines).toEqual(["Nothing to run: 1 have run on PostgreSQL."]);
      expect(
        await database.query("SELECT shout('a;b'), number FROM treadle_migrations", 9),
      ).toEqual([{ columns: ["shout", "number"], rows: [["A;B", "1"]], more: false }]);
    });

    it("leaves nothing of a failed one, and reports its line with PostgreSQL's message", async () => {
      const root = createFolder({
        "migrations/0001_tasks.sql": TASKS,
        "migrations/0002_bad.sql":
          "CREATE TABLE half (a int);\n\nALTER TABLE tasks\n  ADDD COLUMN x text;\n",
      });
      const database = await open();
      const report = await migrate(root, database, { seed: false, copy: true });
      expect(report).toEqual({
        ok: false,
        lines: [
          'migrations/0002_bad.sql:4: syntax error at or near "ADDD"',
          "Nothing of migrations/0002_bad.sql was kept; PostgreSQL stands as it did before it.",
        ],
      });
      await expect(database.query("SELECT * FROM half", 1)).rejects.toThrow(/half/);
    });

    it("stores its records in the usual place even if a migration changes the search path, as dumps do", async () => {
      const root = createFolder({
        "migrations/0101_dump.sql":
          "\uFEFFSELECT pg_catalog.set_config('search_path', '', false);\nCREATE TABLE public.dumped (a int);",
        "migrations/0102_shop.sql":
          "CREATE SCHEMA shop; SET search_path TO shop; CREATE TABLE goods (a int);",
      });
      const database = await open();
      const run = () => migrate(root, database, { seed: false, copy: true });
      const report = await run();
      expect(report.lines.slice(0, 2)).toEqual([
        "Ran migrations/0101_dump.sql on PostgreSQL.",
        "Ran migrations/0102_shop.sql on PostgreSQL.",
      ]);
      expect((await run()).lines[0]).toMatch(/^Nothing to run: /);
      await database.query(
        "DROP TABLE dumped; DROP SCHEMA shop CASCADE; DELETE FROM treadle_migrations WHERE number > 100",
        0,
      );
    });

    it("reports missing additions of Supabase, with alternatives", async () => {
      const database = await open();
      for (const sql of [
        "CREATE TABLE notes (a uuid REFERENCES auth.users(id));",
        "CREATE TABLE notes (a int); GRANT SELECT ON notes TO authenticated;",
        "INSERT INTO storage.buckets (id) VALUES ('a');",
      ]) {
        const root = createFolder({ "supabase/migrations/0201_notes.sql": sql });
        const report = await migrate(root, database, { seed: false, copy: true });
        expect(report.ok, sql).toBe(false);
        expect(report.lines.join("\n"), sql).toMatch(/without what Supabase puts beside it/);
      }
    });

    it("inserts example rows into an empty database once, and saves the previous content before a reset", async () => {
      const root = createFolder({
        "migrations/0001_tasks.sql": TASKS,
        "seed.sql": "INSERT INTO tasks (title) VALUES ('Milk'), ('Bread');",
      });
      const database = await open();
      const seeded = await migrate(root, database, { seed: true, copy: true });
      expect(seeded.lines).toEqual(["Put the example rows of seed.sql into PostgreSQL."]);
      const copy = await database.reset();
      expect(copy).toMatch(/^the schema before_reset_\d{14}$/);
      expect(await database.isEmpty()).toBe(true);
      expect(await database.applied()).toEqual([]);
      await migrate(root, database, { seed: true, copy: true });
      const schema = copy!.split(" ").at(-1)!;
      expect(await database.query(`SELECT title FROM ${schema}.tasks ORDER BY 1`, 9)).toMatchObject(
        [{ rows: [["Bread"], ["Milk"]] }],
      );
    });

    it("runs several statements all or none, and refuses BEGIN", async () => {
      const database = await open();
      await expect(
        database.query("INSERT INTO tasks (title) VALUES ('never'); SELECT 1/0", 9),
      ).rejects.toThrow(/division by zero/);
      expect(await database.query("SELECT 1 FROM tasks WHERE title = 'never'", 9)).toMatchObject([
        { rows: [] },
      ]);
      await expect(database.query("BEGIN", 9)).rejects.toThrow(/already runs in a transaction/);
    });

    /** Sends a request as the host does: to the program itself, one line in and one out. */
    async function ask(root: string, asked: PostgresAsked | object): Promise<unknown> {
      const program = spawn(
        process.execPath,
        [
          "--conditions=treadle-source",
          "--no-warnings",
          join(import.meta.dirname, "main.ts"),
          "ask",
        ],
        { cwd: root, env: process.env, stdio: ["pipe", "pipe", "inherit"] },
      );
      // The caller keeps the input open.
      program.stdin.write(`${JSON.stringify(asked)}\n`);
      let output = "";
      for await (const bytes of program.stdout) output += String(bytes);
      return JSON.parse(output);
    }

    it("answers the page's queries: tables, rows, an unchanged value replaced, rows added and removed, SQL", async () => {
      const root = createFolder({ "package.json": MANIFEST });
      const database = await open();
      await database.query("DROP SCHEMA public CASCADE; CREATE SCHEMA public", 1);
      await database.query(`${TASKS} CREATE VIEW open_tasks AS SELECT title FROM tasks WHERE NOT done`, 1); // prettier-ignore
      await database.query("INSERT INTO tasks (title, done, price, at, big, face) VALUES ('Milk', true, 1.50, '2026-01-02 03:04:05+00', 9007199254740993, '\\x0102'), ('Bread', false, NULL, NULL, 7, NULL)", 1); // prettier-ignore
      expect(await ask(root, { ask: "about" })).toEqual({ bytes: expect.any(Number) });
      expect(await ask(root, { ask: "tables" })).toMatchObject({
        answer: {
          tables: expect.arrayContaining([
            expect.objectContaining({ name: "tasks", kind: "table", rows: 2 }),
            expect.objectContaining({ name: "open_tasks", kind: "view", rows: 1 }),
          ]),
        },
      });
      const rows = await ask(root, { ask: "rows", table: "tasks", offset: 0 });
      expect(rows).toEqual({
        answer: {
          columns: ["id", "title", "done", "price", "at", "big", "face"],
          rows: [
            [1, "Milk", "true", "1.50", expect.stringContaining("2026-01-02"), { integer: "9007199254740993" }, { bytes: 2 }], // prettier-ignore
            [2, "Bread", "false", null, null, 7, null],
          ],
          ids: ['["1"]', '["2"]'],
          total: 2,
          more: false,
        },
      });
      expect(await ask(root, { ask: "rows", table: "tasks", filter: "ILK", offset: 0, order: { column: "title", descending: true } })).toMatchObject({ answer: { total: 1, ids: ['["1"]'] } }); // prettier-ignore
      const change = { ask: "change", table: "tasks", row: '["1"]', column: "title", to: "Oats" };
      expect(await ask(root, { ...change, was: "Milk" })).toEqual({ answer: { changed: 1 } });
      expect(await ask(root, { ...change, was: "Milk" })).toEqual({
        problem: "Somebody has changed this value meanwhile. Nothing was written.",
      });
      expect(await ask(root, { ask: "add", table: "tasks", values: { title: "Tea", big: "3" } })).toEqual({ answer: { changed: 1 } }); // prettier-ignore
      expect(await ask(root, { ask: "remove", table: "tasks", row: '["2"]' })).toEqual({ answer: { changed: 1 } }); // prettier-ignore
      expect(await ask(root, { ask: "sql", sql: "UPDATE tasks SET done = true; SELECT count(*) FROM tasks" })).toMatchObject({ answer: { columns: ["count"], rows: [[2]] } }); // prettier-ignore
      expect(await ask(root, { ask: "sql", sql: "SELEC 1" })).toEqual({
        problem: expect.stringContaining("syntax error"),
      });
      expect(await ask(root, { ask: "rows", table: "no; DROP TABLE tasks", offset: 0 })).toEqual({
        problem: "There is no table “no; DROP TABLE tasks”.",
      });
    });

    it("answers the page's queries if a view fails or is slow, texts are long, or SQL ends its own transaction", async () => {
      const root = createFolder({ "package.json": MANIFEST });
      const database = await open();
      await database.query(`CREATE TABLE texts (a text, b text); INSERT INTO texts SELECT t, t FROM (SELECT repeat('文', 1900) AS t) x, generate_series(1, 400); CREATE VIEW fails AS SELECT 1 / (count(*) - 400) AS x FROM texts; CREATE VIEW slow AS SELECT pg_sleep(60)::text AS x`, 1); // prettier-ignore
      expect(await ask(root, { ask: "tables" })).toMatchObject({
        answer: {
          tables: expect.arrayContaining([
            expect.objectContaining({ name: "texts", rows: 400 }),
            expect.not.objectContaining({ name: "fails", rows: expect.anything() }),
            expect.not.objectContaining({ name: "slow", rows: expect.anything() }),
          ]),
        },
      });
      const all = (await ask(root, { ask: "sql", sql: "SELECT * FROM texts" })) as {
        answer: { rows: unknown[][]; more: boolean };
      };
      expect(all.answer.rows.length).toBe(400);
      expect(all.answer.rows[0]![0]).toMatchObject({ long: "文".repeat(500), length: 1_900 });
      expect(await ask(root, { ask: "sql", sql: "BEGIN; DELETE FROM texts" })).toEqual({
        problem: "It already runs in a transaction: leave out BEGIN, COMMIT and the like.",
      });
      await database.query("DROP TABLE texts CASCADE; DROP VIEW slow", 1);
    });

    it("treats escapes in texts, brackets and functions as parts of one statement", async () => {
      const database = await open();
      await database.query(
        `CREATE TABLE cut (x text); INSERT INTO cut VALUES (E'it\\'s; one'); /* a /* b; */ c; */
         CREATE RULE two AS ON DELETE TO cut DO ALSO (SELECT 1; SELECT 2);
         CREATE FUNCTION three() RETURNS text BEGIN ATOMIC SELECT 'a'; SELECT CASE WHEN true THEN 'b' END; END;
         INSERT INTO cut VALUES (three())`,
        1,
      );
      expect(await database.query("SELECT x FROM cut", 9)).toMatchObject([
        { rows: [["it's; one"], ["b"]] },
      ]);
    });

    it("exports a table as CSV and imports it again, all rows or none", async () => {
      const root = createFolder({ "package.json": MANIFEST });
      const database = await open();
      await database.query(`CREATE TABLE people (name text NOT NULL, age int); INSERT INTO people VALUES ('Ada, "the first"', 36), ('', NULL)`, 1); // prettier-ignore
      const out = { ask: "table-out", table: "people", other: ".data/out.csv" };
      expect(await ask(root, out)).toEqual({ said: "Wrote 2 rows." });
      const csv = readFileSync(join(root, ".data/out.csv"), "utf8");
      expect(csv).toBe('name,age\r\n"Ada, ""the first""",36\r\n"",\r\n');
      await database.query("DELETE FROM people", 1);
      expect(await ask(root, { ...out, ask: "table-in" })).toEqual({
        said: "Added 2 rows to people.",
      });
      writeFileSync(join(root, "bad.csv"), "name,age\nGrace,85\nEdsger,many\n");
      expect(await ask(root, { ask: "table-in", table: "people", other: "bad.csv" })).toEqual({
        problem: expect.stringMatching(/^Line 3: .*many.*Nothing was added\.$/),
      });
      expect(await database.query("SELECT count(*) FROM people", 1)).toMatchObject([
        { rows: [["2"]] },
      ]);
    });

    it("imports rows with their numbers, after which the app's numbers continue", async () => {
      const root = createFolder({ "package.json": MANIFEST });
      const database = await open();
      await database.query(`CREATE TABLE "Counted" (id bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY, other serial, "name" text, "Name" text, size int GENERATED ALWAYS AS (length(name)) STORED); INSERT INTO "Counted" (name, "Name") VALUES ('Ada', 'a'), ('Grace', 'g')`, 1); // prettier-ignore
      const out = { ask: "table-out", table: "Counted", other: ".data/out.csv" };
      await ask(root, out);
      expect(readFileSync(join(root, ".data/out.csv"), "utf8")).toBe(
        "id,other,name,Name\r\n1,1,Ada,a\r\n2,2,Grace,g\r\n",
      );
      await database.query('TRUNCATE "Counted" RESTART IDENTITY', 1);
      expect(await ask(root, { ...out, ask: "table-in" })).toEqual({
        said: "Added 2 rows to Counted.",
      });
      await database.query(`INSERT INTO "Counted" (name) VALUES ('Edsger')`, 1);
      expect(await database.query('SELECT id, other, name, "Name", size FROM "Counted"', 9)).toMatchObject([{ rows: [["1", "1", "Ada", "a", "3"], ["2", "2", "Grace", "g", "5"], ["3", "3", "Edsger", null, "6"]] }]); // prettier-ignore
    });

    it("reports no database for an app without a client, and an unreachable server", async () => {
      const bare = createFolder({ "package.json": "{}" });
      expect(await ask(bare, { ask: "about" })).toEqual({ bytes: null });
      const root = createFolder({ "package.json": MANIFEST });
      const port = process.env.PGPORT;
      process.env.PGPORT = "1";
      try {
        expect(await ask(root, { ask: "tables" })).toEqual({
          problem: expect.stringContaining("PostgreSQL cannot be reached"),
        });
      } finally {
        process.env.PGPORT = port;
      }
    });
  },
);
