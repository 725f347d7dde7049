import { existsSync, mkdirSync, mkdtempSync, readdirSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import { describe, expect, it, onTestFinished, vi } from "vitest";
import { migrate, ranAs } from "./migrate.ts";
import { printResults } from "./print-results.ts";
import { openDatabase } from "./open-database.ts";
import { readMigrations } from "./read-migrations.ts";
import { openSqlite, sqliteFile } from "./sqlite-database.ts";

const TASKS = "CREATE TABLE tasks (id INTEGER PRIMARY KEY, title TEXT NOT NULL) STRICT;";
const DONE = "-- who is done\nALTER TABLE tasks ADD COLUMN done INTEGER NOT NULL DEFAULT 0;";

function project(files: Record<string, string>) {
  const root = mkdtempSync(join(tmpdir(), "treadle-app-"));
  const put = (path: string, text: string | Uint8Array) => {
    mkdirSync(dirname(join(root, path)), { recursive: true });
    writeFileSync(join(root, path), text);
  };
  for (const [path, text] of Object.entries(files)) put(path, text);
  const database = openSqlite(root, "data/app.db");
  onTestFinished(async () => {
    await database.close();
    rmSync(root, { recursive: true, force: true });
  });
  const run = (options = {}) => migrate(root, database, { seed: false, copy: true, ...options });
  const rows = async (sql: string) => {
    const [result] = await database.query(sql, 100);
    return (result as { rows: unknown[][] }).rows.map((row) => row.map(String));
  };
  return { root, put, database, run, rows };
}

describe("the migrations of an app", () => {
  it("run once each, in numerical order, and are recorded with name and digest", async () => {
    const { run, put, rows } = project({ "migrations/0001_tasks.sql": TASKS });
    expect(await run()).toEqual({
      ok: true,
      lines: ["Ran migrations/0001_tasks.sql on data/app.db."],
    });
    put("migrations/0002_done.sql", DONE);
    expect((await run()).lines.at(-1)).toBe("Ran migrations/0002_done.sql on data/app.db.");
    expect((await run()).lines).toEqual(["Nothing to run: 2 have run on data/app.db."]);
    expect(await rows("SELECT number, name, length(digest) FROM treadle_migrations")).toEqual([
      ["1", "0001_tasks.sql", "64"],
      ["2", "0002_done.sql", "64"],
    ]);
  });

  it("leave nothing behind if one fails, and report its line; earlier ones stay", async () => {
    const { run, rows } = project({
      "migrations/0001_tasks.sql": TASKS,
      "migrations/0002_bad.sql": `INSERT INTO tasks (title) VALUES ('a;b'); -- one; two\n\nALTER TABLE tasks\n  ADDD COLUMN done TEXT;\n`,
    });
    const report = await run();
    expect(report.ok).toBe(false);
    expect(report.lines).toEqual([
      "Ran migrations/0001_tasks.sql on data/app.db.",
      'migrations/0002_bad.sql:4: near "ADDD": syntax error',
      "Nothing of migrations/0002_bad.sql was kept; data/app.db stands as it did before it.",
    ]);
    expect(await rows("SELECT * FROM tasks")).toEqual([]);
  });

  it.each([
    ["a trigger that reads a column called begin", "INSERT INTO log VALUES (NEW.begin);"],
    ["one that reads a column called end", "INSERT INTO log VALUES (NEW.end); DELETE FROM log;"],
    ["names in brackets with a semicolon", "INSERT INTO log SELECT 1 AS [a;b];"],
  ])("run completely, whatever precedes them: %s", async (_, body) => {
    const { run, rows } = project({
      "migrations/0001_days.sql": `CREATE TABLE days (begin TEXT, end TEXT); CREATE TABLE log (x);
CREATE TRIGGER kept AFTER INSERT ON days BEGIN ${body} END;
CREATE TABLE [a;b] (x);
CREATE TABLE last (x); -- the end
INSERT INTO last VALUES ('x;y'), ('z')`,
    });
    expect(await run()).toMatchObject({ ok: true });
    expect(await rows("SELECT x FROM last")).toEqual([["x;y"], ["z"]]);
    expect(await rows("SELECT name FROM sqlite_schema WHERE name IN ('kept', 'a;b') ORDER BY 1")).toEqual([["a;b"], ["kept"]]); // prettier-ignore
  });

  it("report the line of an error after such a trigger, and end in a text without an end", async () => {
    const trigger =
      "CREATE TABLE days (begin TEXT);\nCREATE TRIGGER t AFTER INSERT ON days BEGIN SELECT NEW.begin; END;\n";
    const { run, put } = project({ "migrations/0001_days.sql": `${trigger}CREATE TABBLE x (a);` });
    expect((await run()).lines[0]).toBe('migrations/0001_days.sql:3: near "TABBLE": syntax error');
    put("migrations/0001_days.sql", `${trigger}INSERT INTO days VALUES ('a; SELECT 1;`);
    expect((await run()).lines[0]).toMatch(/^migrations\/0001_days\.sql:3: unrecognized token/);
    put("migrations/0001_days.sql", `${trigger};; COMMIT; SELECT 1`);
    expect((await run()).lines[0]).toMatch(
      /^migrations\/0001_days\.sql:3: It already runs in a transac/,
    );
    put("migrations/0001_days.sql", `${trigger}\0CREATE TABLE x (a);`);
    expect((await run()).lines[0]).toMatch(/^migrations\/0001_days\.sql:3: .*NUL/);
  });

  it("save a copy of the previous state, and keep the newest three", async () => {
    const { run, put, root, database } = project({ "migrations/0001_tasks.sql": TASKS });
    await run();
    await database.query("INSERT INTO tasks (title) VALUES ('Milk')", 1);
    for (const number of [2, 3, 4, 5]) {
      put(`migrations/000${number}_more.sql`, `CREATE TABLE t${number} (a TEXT);`);
      await run();
    }
    const copies = join(root, ".data/copies");
    expect(readdirSync(copies).toSorted()).toEqual([
      "app-before-0003_more.db",
      "app-before-0004_more.db",
      "app-before-0005_more.db",
    ]);
    const copy = openSqlite(root, ".data/copies/app-before-0003_more.db");
    expect(await copy.query("SELECT title FROM tasks", 1)).toMatchObject([{ rows: [["Milk"]] }]);
    await copy.close();
  });

  it.each<[string, Record<string, string>, RegExp]>([
    [
      "one that was changed after it had run",
      { "migrations/0001_tasks.sql": `${TASKS} ` },
      /0001_tasks\.sql was changed after it had run\. Put it back .* 0003_….sql/,
    ],
    [
      "one that stands in the place of one that has run",
      { "migrations/0001_tasks.sql": "", "migrations/0001_other.sql": TASKS },
      /same number/,
    ],
    ["one without a number", { "migrations/x.sql": "" }, /has no number .* 0003_x\.sql/],
    ["two folders", { "supabase/migrations/1.sql": "" }, /keep all of them in one/],
  ])("are refused with a hint: %s", async (_, files, words) => {
    const { run, put, rows } = project({
      "migrations/0001_tasks.sql": TASKS,
      "migrations/0002_done.sql": DONE,
    });
    await run();
    for (const [path, text] of Object.entries(files)) put(path, text);
    const report = await run();
    expect(report.ok).toBe(false);
    expect(report.lines[0]).toMatch(words);
    expect(await rows("SELECT count(*) FROM treadle_migrations")).toEqual([["2"]]);
  });

  it("may have an extension in capitals", async () => {
    const { run } = project({ "migrations/0001_TASKS.SQL": TASKS });
    expect((await run()).lines.at(-1)).toBe("Ran migrations/0001_TASKS.SQL on data/app.db.");
  });

  it("may skip a number, which is reported: its file may have been removed with its sources", async () => {
    const { run, put, root } = project({
      "migrations/0001_tasks.sql": TASKS,
      "migrations/0002_done.sql": DONE,
    });
    await run();
    rmSync(join(root, "migrations/0002_done.sql"));
    put("migrations/0002_due.sql", "ALTER TABLE tasks ADD COLUMN due TEXT;");
    expect((await run()).lines[0]).toMatch(/Call it 0003_….sql/);
    rmSync(join(root, "migrations/0002_due.sql"));
    put("migrations/0003_due.sql", "ALTER TABLE tasks ADD COLUMN due TEXT;");
    expect(await run()).toMatchObject({
      ok: true,
      lines: expect.arrayContaining([
        "Ran migrations/0003_due.sql on data/app.db.",
        "0002_done.sql has run, and is not among the files any more.",
      ]) as string[],
    });
    put("migrations/0006_more.sql", "SELECT 1;");
    expect((await run()).lines.at(-1)).toMatch(/There is no migration 0004, 0005\.$/);
    const anew = project({
      "migrations/0001_tasks.sql": TASKS,
      "migrations/0003_due.sql": "ALTER TABLE tasks ADD COLUMN due TEXT;",
    });
    expect(await anew.run()).toMatchObject({ ok: true });
    anew.put("migrations/0002_late.sql", "SELECT 1;");
    expect((await anew.run()).lines[0]).toMatch(/is new, and 0003_due\.sql has run already/);
  });

  it("that have run but have no file any more are reported, until another takes their number", async () => {
    const { run, put, root } = project({
      "migrations/0001_tasks.sql": TASKS,
      "migrations/0002_done.sql": DONE,
    });
    await run();
    rmSync(join(root, "migrations/0002_done.sql"));
    expect(await run()).toMatchObject({ ok: true });
    put("migrations/0002_due.sql", "SELECT 1;");
    const report = await run();
    expect(report.lines.join(" ")).toMatch(
      /number of 0002_done\.sql, which has run.*treadle-db reset/,
    );
  });

  it("may be in a subfolder of the project, with their seed and database, if it is the only one", async () => {
    const { root, put } = project({
      "backend/migrations/0001_tasks.sql": TASKS,
      "backend/migrations/README.md": "",
      "backend/seed.sql": "INSERT INTO tasks (title) VALUES ('Milk');",
      "dist/migrations/0001_tasks.sql": TASKS,
      "web/node_modules/a/migrations/0001_a.sql": TASKS,
      "web/migrations/notes.sql": "no number: another tool's",
    });
    rmSync(join(root, "data"), { recursive: true, force: true });
    expect(sqliteFile(root)).toBe("backend/data/app.db");
    const opened = await openDatabase(root, {});
    const ran = await migrate(root, opened.database, { seed: true, copy: false });
    await opened.close();
    expect(ran).toMatchObject({
      ok: true,
      lines: [/^Ran backend\/migrations\/0001/, /backend\/seed\.sql/].map((one) =>
        expect.stringMatching(one),
      ),
    });
    put("apps/other/migrations/0001_other.sql", TASKS);
    expect(readMigrations(root)).toEqual([]);
    put("migrations/0001_tasks.sql", TASKS);
    expect(readMigrations(root)).toMatchObject([{ path: "migrations/0001_tasks.sql" }]);
  });

  it("may have bolt's format, numbered by timestamp", async () => {
    const { run, put } = project({ "supabase/migrations/20260102030405_tasks.sql": TASKS });
    expect((await run()).ok).toBe(true);
    put("supabase/migrations/20260202030405_done.sql", DONE);
    expect((await run()).ok).toBe(true);
    put("supabase/migrations/20260103030405_late.sql", "");
    expect((await run()).lines[0]).toMatch(/late\.sql is new, and .*done\.sql has run already/);
  });

  it("do not end their own transaction, and break no foreign key", async () => {
    const { run, put, rows } = project({
      "migrations/0001_two.sql":
        "CREATE TABLE a (id INTEGER PRIMARY KEY); CREATE TABLE b (a_id INTEGER REFERENCES a ON DELETE CASCADE); INSERT INTO a VALUES (1); INSERT INTO b VALUES (1);",
    });
    expect((await run()).ok).toBe(true);
    put("migrations/0002_x.sql", "BEGIN;\nDROP TABLE b;\nCOMMIT;");
    expect((await run()).lines.join(" ")).toMatch(
      /0002_x\.sql:1: It already runs in a transaction/,
    );
    put("migrations/0002_x.sql", "DELETE FROM a;");
    expect((await run()).lines.join(" ")).toMatch(/A row of “b” would belong to one of “a”/);
    // A table is rebuilt as SQLite's manual describes.
    put(
      "migrations/0002_x.sql",
      "CREATE TABLE c (id INTEGER PRIMARY KEY, name TEXT); INSERT INTO c (id) SELECT id FROM a; DROP TABLE a; ALTER TABLE c RENAME TO a;",
    );
    expect((await run()).ok).toBe(true);
    expect(await rows("SELECT * FROM b")).toEqual([["1"]]);
  });

  it("leave foreign keys enabled for later queries", async () => {
    const { run, database, rows } = project({
      "migrations/0001_two.sql":
        "CREATE TABLE a (id INTEGER PRIMARY KEY); CREATE TABLE b (a_id INTEGER REFERENCES a ON DELETE CASCADE); INSERT INTO a VALUES (1); INSERT INTO b VALUES (1);",
    });
    await run();
    await expect(database.query("INSERT INTO b VALUES (7)", 10)).rejects.toThrow(/FOREIGN KEY/);
    await database.query("DELETE FROM a", 10);
    expect(await rows("SELECT * FROM b")).toEqual([]);
  });

  it("run even if the app itself has broken a foreign key, and break no more", async () => {
    const { run, put, root } = project({
      "migrations/0001_two.sql":
        "CREATE TABLE a (id INTEGER PRIMARY KEY); CREATE TABLE b (a_id INTEGER REFERENCES a);",
    });
    await run();
    const app = new DatabaseSync(join(root, "data/app.db"), { enableForeignKeyConstraints: false });
    app.exec("INSERT INTO b VALUES (7)");
    app.close();
    put("migrations/0002_more.sql", "CREATE TABLE c (x);");
    expect((await run()).lines.at(-1)).toBe("Ran migrations/0002_more.sql on data/app.db.");
    put("migrations/0003_more.sql", "INSERT INTO b VALUES (8);");
    expect((await run()).lines.join(" ")).toMatch(/A row of “b” would belong to one of “a”/);
  });

  it("treat a trigger as one statement", async () => {
    const { run, rows } = project({
      "migrations/0001_x.sql": `${TASKS}
        CREATE TABLE log (n INTEGER);
        CREATE TRIGGER t AFTER INSERT ON tasks BEGIN
          INSERT INTO log VALUES (CASE WHEN new.id > 1 THEN 2 ELSE 1 END); DELETE FROM log WHERE n = 9;
        END;
        INSERT INTO tasks (title) VALUES ('Milk');`,
    });
    expect((await run()).lines).toEqual(["Ran migrations/0001_x.sql on data/app.db."]);
    expect(await rows("SELECT n FROM log")).toEqual([["1"]]);
  });

  it("are recognised if the same SQL is also run as a query, as bolt repeats it", async () => {
    const { root, database, run } = project({ "supabase/migrations/0001_tasks.sql": `${TASKS}\n` });
    expect(await ranAs(root, database, TASKS)).toBeUndefined();
    await run();
    expect(await ranAs(root, database, `\n${TASKS}`)).toBe("supabase/migrations/0001_tasks.sql");
    expect(await ranAs(root, database, "SELECT * FROM tasks")).toBeUndefined();
  });

  it("in another encoding than UTF-8 are refused, or decoded by their byte-order mark", async () => {
    const { put, run, rows } = project({ "migrations/0001_tasks.sql": TASKS });
    const insert = "INSERT INTO tasks (title) VALUES ('Gr\u00FCn');";
    put("migrations/0002_green.sql", Buffer.from(insert, "latin1"));
    const report = await run();
    expect(report.ok).toBe(false);
    expect(report.lines.at(-1)).toMatch(
      /^migrations\/0002_green\.sql:1: It is not written in UTF-8/,
    );
    expect(await rows("SELECT title FROM tasks")).toEqual([]);
    put("migrations/0002_green.sql", Buffer.from(`\uFEFF${insert}`, "utf16le"));
    expect((await run()).ok).toBe(true);
    expect(await rows("SELECT title FROM tasks")).toEqual([["Gr\u00FCn"]]);
  });

  it("with PostgreSQL's syntax are answered with SQLite's", async () => {
    const { run } = project({
      "supabase/migrations/1_x.sql":
        "CREATE TABLE x (\n  id uuid PRIMARY KEY DEFAULT gen_random_uuid(),\n  at timestamptz DEFAULT now()\n);\nALTER TABLE x ENABLE ROW LEVEL SECURITY;",
    });
    const output = (await run()).lines.join("\n");
    expect(output).toMatch(/^supabase\/migrations\/1_x\.sql:2: near "\(": syntax error/);
    expect(output).toMatch(/Write it for SQLite: .*randomblob.*row level security.*strftime/);
    expect(output).not.toContain("PostgreSQL is here");
  });

  it("with PostgreSQL's syntax are answered with how the app can use it, if there is one", async () => {
    vi.stubEnv("PGHOST", "127.0.0.1");
    onTestFinished(() => void vi.unstubAllEnvs());
    const { run } = project({ "migrations/1_x.sql": "CREATE TYPE mood AS ENUM ('glad');" });
    expect((await run()).lines.join("\n")).toMatch(
      /PostgreSQL is here too: .* put pg into its package\.json/,
    );
  });
});

describe("example rows", () => {
  const files = {
    "migrations/0001_tasks.sql": TASKS,
    "seed.sql": "INSERT INTO tasks (title) VALUES ('Milk');",
  };

  it("are inserted once into a database without rows", async () => {
    const { run, rows, database } = project(files);
    expect((await run({ seed: true })).lines.at(-1)).toBe(
      "Put the example rows of seed.sql into data/app.db.",
    );
    await database.query("DELETE FROM tasks", 1);
    expect((await run({ seed: true })).ok).toBe(true);
    expect(await rows("SELECT * FROM tasks")).toEqual([]);
  });

  it("are not reported, and may still be inserted, while their file contains only comments", async () => {
    const { run, rows, root } = project({
      ...files,
      "seed.sql": "-- None yet; it's empty.\n/* a */ ;\n",
    });
    expect((await run({ seed: true })).lines.join("\n")).not.toContain("seed.sql");
    writeFileSync(join(root, "seed.sql"), "-- One.\nINSERT INTO tasks (title) VALUES ('Milk');");
    await run({ seed: true });
    expect(await rows("SELECT title FROM tasks")).toEqual([["Milk"]]);
  });

  it("are not inserted beside other rows, or if nobody requested them", async () => {
    const { run, rows, database } = project(files);
    await run();
    expect(await rows("SELECT * FROM tasks")).toEqual([]);
    await database.query("INSERT INTO tasks (title) VALUES ('mine')", 1);
    await run({ seed: true });
    expect(await rows("SELECT title FROM tasks")).toEqual([["mine"]]);
  });

  it("are inserted again after a reset, and the previous content is saved", async () => {
    const { run, rows, database, root } = project(files);
    await run();
    await database.query("INSERT INTO tasks (title) VALUES ('mine')", 1);
    const copy = await database.reset();
    await run({ seed: true });
    expect(await rows("SELECT title FROM tasks")).toEqual([["Milk"]]);
    const sqliteDatabase = openSqlite(root, copy!);
    expect(await sqliteDatabase.query("SELECT title FROM tasks", 1)).toMatchObject([
      { rows: [["mine"]] },
    ]);
    await sqliteDatabase.close();
  });
});

describe("the database of an app", () => {
  it("is not left behind if a query created it empty, and other databases are reported", async () => {
    const { root } = project({});
    rmSync(join(root, "data"), { recursive: true, force: true });
    const asking = async (sql: string, env = {}) => {
      const { database, close } = await openDatabase(root, env);
      await database.query(sql, 1);
      return close();
    };
    expect(await asking("SELECT 1")).toBeUndefined();
    expect(await asking("SELECT 1", { PGHOST: "127.0.0.1", PGPORT: "4872" })).toContain(
      "127.0.0.1:4872",
    );
    expect(existsSync(join(root, "data"))).toBe(false);
    await asking("CREATE TABLE a (b)");
    expect(await asking("SELECT 1", { PGHOST: "127.0.0.1" })).toBeUndefined();
    expect(existsSync(join(root, "data/app.db"))).toBe(true);
  });

  it("is not SQLite's if the project uses PostgreSQL and there is none here", async () => {
    const { root, put } = project({ "backend/package.json": '{"dependencies":{"pg":"8"}}' });
    rmSync(join(root, "data"), { recursive: true, force: true });
    await expect(openDatabase(root, {})).rejects.toThrow(/PGHOST is not set/);
    expect(existsSync(join(root, "data"))).toBe(false);
    put("treadle.json", '{"database":"sqlite"}');
    await (await openDatabase(root, {})).close();
  });

  it("is data/app.db, the named one, or the existing one", () => {
    const { root, put } = project({});
    expect(sqliteFile(root)).toBe("data/app.db");
    rmSync(join(root, "data"), { recursive: true });
    expect(sqliteFile(root)).toBe("data/app.db");
    put("store/shop.sqlite", "");
    put(".data/copies/x.db", "");
    expect(sqliteFile(root)).toBe("store/shop.sqlite");
    put("other.db", "");
    expect(sqliteFile(root)).toHaveProperty("problem", expect.stringMatching(/several databases/));
    expect(sqliteFile(root, "other.db")).toBe("other.db");
    expect(sqliteFile(root, "other.db", "store/shop.sqlite")).toBe("other.db");
    expect(sqliteFile(root, undefined, "store/shop.sqlite")).toBe("store/shop.sqlite");
  });

  it("is in a folder with a usual name of build output only if it is nowhere else", () => {
    const { root, put } = project({});
    rmSync(join(root, "data"), { recursive: true });
    put(".data/copies/x.db", "");
    put("node_modules/a/b.db", "");
    put("build/app.db", "");
    expect(sqliteFile(root)).toBe("build/app.db");
    put("store/shop.sqlite", "");
    expect(sqliteFile(root)).toBe("store/shop.sqlite");
  });

  it("answers SQL with text, and runs several statements all or none", async () => {
    const { run, database } = project({ "migrations/0001_tasks.sql": TASKS });
    await run();
    const printed = async (sql: string) => printResults(await database.query(sql, 2));
    expect(await printed("INSERT INTO tasks (title) VALUES ('Milk'), ('Bread'), ('a\nb')")).toBe(
      "3 rows changed.",
    );
    expect(
      await printed("DELETE FROM tasks WHERE id > 9; CREATE INDEX titles ON tasks (title)"),
    ).toBe("0 rows changed.\n\nDone.");
    expect(await printed("SELECT id, title FROM tasks; SELECT NULL AS a, x'0102' AS b;")).toBe(
      "id | title\n1 | Milk\n2 | Bread\n(the first 2 rows)\n\na | b\nNULL | <2 bytes>\n(1 row)",
    );
    await expect(database.query("DELETE FROM tasks; DELETE FROM nobody", 1)).rejects.toThrow(
      "no such table: nobody",
    );
    expect(await printed("SELECT count(*) AS n FROM tasks")).toBe("n\n3\n(1 row)");
  });
});
