import { execFileSync } from "node:child_process";
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { containerFiles } from "./container-files.ts";
import { MIGRATE_SCRIPT, migrateScript } from "./container-migrate.ts";

let folder: string;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), "treadle-container-"));
  write(MIGRATE_SCRIPT, migrateScript("data/app.db"));
});
afterEach(() => rmSync(folder, { recursive: true, force: true }));

function write(path: string, text: string): void {
  mkdirSync(dirname(join(folder, path)), { recursive: true });
  writeFileSync(join(folder, path), text);
}

/** Runs the script as a container does at its start. */
const begin = (env: Record<string, string> = {}) =>
  execFileSync(process.execPath, ["--disable-warning=ExperimentalWarning", MIGRATE_SCRIPT], {
    env: { PATH: process.env.PATH, ...env },
    cwd: folder,
    encoding: "utf8",
    stdio: "pipe",
  });

function rows(sql: string, file = "data/app.db"): unknown[] {
  const database = new DatabaseSync(join(folder, file));
  try {
    return database.prepare(sql).all().map((row) => ({ ...row })); // prettier-ignore
  } finally {
    database.close();
  }
}

it("runs those in another folder, if it is the only one that contains some", () => {
  write("backend/migrations/0001_tasks.sql", "CREATE TABLE tasks (id INTEGER PRIMARY KEY);");
  write("dist/migrations/0001_tasks.sql", "CREATE TABLE tasks (id INTEGER PRIMARY KEY);");
  expect(begin()).toBe("Ran backend/migrations/0001_tasks.sql\n");
  write("other/migrations/0001_other.sql", "CREATE TABLE other (id INTEGER PRIMARY KEY);");
  expect(begin()).toBe("");
});

it("runs new migrations, each once and in order, and keeps the app's rows", () => {
  write("migrations/0002_due.sql", "ALTER TABLE tasks ADD COLUMN due TEXT;");
  write("migrations/0001_tasks.sql", "CREATE TABLE tasks (id INTEGER PRIMARY KEY, title TEXT);");
  write("server.js", 'import "node:http";');
  expect(begin()).toBe("Ran migrations/0001_tasks.sql\nRan migrations/0002_due.sql\n");
  const database = new DatabaseSync(join(folder, "data/app.db"));
  database.exec("INSERT INTO tasks (title) VALUES ('one')");
  database.close();
  write("migrations/0003_done.sql", "ALTER TABLE tasks ADD COLUMN done INTEGER DEFAULT 0;");
  expect(begin()).toBe("Ran migrations/0003_done.sql\n");
  expect(begin()).toBe("");
  expect(rows("SELECT * FROM tasks")).toEqual([{ id: 1, title: "one", due: null, done: 0 }]);
  expect(rows("SELECT number, name FROM treadle_migrations")).toEqual([
    { number: 1, name: "0001_tasks.sql" },
    { number: 2, name: "0002_due.sql" },
    { number: 3, name: "0003_done.sql" },
  ]);
});

it("rolls back one that fails, and does not start the app", () => {
  write("migrations/0001_tasks.sql", "CREATE TABLE tasks (id INTEGER);\nINSERT INTO none VALUES (1);"); // prettier-ignore
  expect(begin).toThrow("migrations/0001_tasks.sql: no such table: none");
  expect(rows("SELECT name FROM sqlite_schema WHERE name = 'tasks'")).toEqual([]);
  write("migrations/0001_tasks.sql", "CREATE TABLE tasks (id INTEGER);");
  begin();
  write("migrations/0001_tasks.sql", "CREATE TABLE tasks (id TEXT);");
  expect(begin).toThrow("migrations/0001_tasks.sql is not what has run");
});

it("runs although the app has broken a foreign key itself, and breaks no more", () => {
  write("migrations/0001_tasks.sql", "CREATE TABLE people (id INTEGER PRIMARY KEY); CREATE TABLE tasks (who REFERENCES people);"); // prettier-ignore
  begin();
  const database = new DatabaseSync(join(folder, "data/app.db"));
  database.exec("PRAGMA foreign_keys = OFF; INSERT INTO tasks VALUES (7)");
  database.close();
  write("migrations/0002_due.sql", "ALTER TABLE tasks ADD COLUMN due TEXT;");
  expect(begin()).toBe("Ran migrations/0002_due.sql\n");
  write("migrations/0003_more.sql", "INSERT INTO tasks VALUES (8, NULL);");
  expect(begin).toThrow("a row of tasks would belong to one of people that is not there");
});

it("reads a file with a byte-order mark", () => {
  write("node_modules/pg/index.js", "exports.Client = class { on() {} connect() { return Promise.resolve(); } end() {} async query(sql) { if (/goods/.test(sql)) console.log(sql); return { rows: [] }; } };"); // prettier-ignore
  write("package.json", '{"dependencies":{"pg":"8.0.0"}}');
  write("migrations/0001_goods.sql", "\uFEFFCREATE TABLE goods (a int);");
  expect(begin({ PGHOST: "db" })).toMatch(/^CREATE TABLE goods/);
});

it("leaves migrations to an app that runs them itself", () => {
  write("migrations/0001_tasks.sql", "CREATE TABLE tasks (id INTEGER);");
  write("db.js", 'readdirSync("migrations")');
  expect(begin()).toBe("");
});

describe("for an app with PostgreSQL", () => {
  /** The part of a client that the script uses, which records the queries. */
  const PG = `exports.Client = class {
  constructor(options) { console.log("connects", JSON.stringify(options)); }
  on() {}
  async connect() {}
  async query(sql, values = []) {
    console.log(sql.split("\\n")[0].slice(0, 44).trim(), ...values.slice(0, 2));
    if (sql.includes("wrong")) throw new Error('syntax error at "wrong"');
    return { rows: /^SELECT name/.test(sql) && values[0] === 1 ? [{ name: "0001_tasks.sql", digest: "${"77".repeat(32)}" }] : [] };
  }
  async end() { console.log("ends"); }
};`;
  beforeEach(() => write("api/package.json", '{"dependencies":{"pg":"8.0.0"}}'));

  it("runs them with the app's own client, wherever it is, each in a transaction", () => {
    write("api/node_modules/pg/index.js", PG);
    write("migrations/0002_due.sql", "ALTER TABLE tasks ADD due date;");
    expect(begin({ DATABASE_URL: "postgres://db/app" }).split("\n")).toEqual([
      'connects {"connectionString":"postgres://db/app"}',
      "SELECT pg_advisory_lock(7291845)",
      "CREATE TABLE IF NOT EXISTS treadle_migration",
      "SELECT name, digest FROM treadle_migrations 2",
      "BEGIN",
      "ALTER TABLE tasks ADD due date;",
      "RESET ALL",
      "INSERT INTO treadle_migrations (number, name 2 0002_due.sql",
      "COMMIT",
      "Ran migrations/0002_due.sql",
      "ends",
      "",
    ]);
  });

  it("starts nothing after one that fails or was changed, or without the database's address", () => {
    write("node_modules/pg/index.js", PG);
    write("migrations/0002_due.sql", "wrong;");
    expect(() => begin({ PGHOST: "db" })).toThrow(
      'migrations/0002_due.sql: syntax error at "wrong"',
    );
    write("migrations/0001_tasks.sql", "CREATE TABLE tasks (id int);");
    expect(() => begin({ PGHOST: "db" })).toThrow("migrations/0001_tasks.sql is not what has run");
    expect(() => begin()).toThrow("Nothing says where PostgreSQL is");
  });

  it("reports that it leaves them to the app if there is no client", () => {
    write("migrations/0001_tasks.sql", "CREATE TABLE tasks (id int);");
    expect(begin({ PGHOST: "db" })).toMatch(/^Migrations were left to the app: /);
  });
});

it("is included for an app with migrations, and runs before the start", () => {
  const facts = { scripts: { start: "node ." }, dependencies: {}, has: (name: string) => name === "package.json" }; // prettier-ignore
  const plain = containerFiles(facts) as Record<string, string>;
  expect(plain[MIGRATE_SCRIPT]).toBeUndefined();
  const files = containerFiles({ ...facts, migrations: true, data: ["guests.db"] }) as typeof plain;
  expect(files["Dockerfile"]).toMatch(/\nCMD node treadle-migrate\.mjs && npm run start\n$/);
  expect(files[MIGRATE_SCRIPT]).toBe(migrateScript("guests.db"));
});
