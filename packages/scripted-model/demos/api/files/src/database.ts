import { mkdirSync } from "node:fs";
import { dirname } from "node:path";
import { DatabaseSync } from "node:sqlite";

/** Applied in order, each once; the number of those that were applied is the file's `user_version`. */
const MIGRATIONS = [
  `CREATE TABLE bookmarks (
     id INTEGER PRIMARY KEY AUTOINCREMENT,
     url TEXT NOT NULL UNIQUE,
     title TEXT NOT NULL,
     tags TEXT NOT NULL DEFAULT '[]',
     created_at TEXT NOT NULL DEFAULT (strftime('%Y-%m-%dT%H:%M:%SZ'))
   ) STRICT`,
  `INSERT INTO bookmarks (url, title, tags) VALUES
     ('https://expressjs.com/', 'Express', '["node","http"]'),
     ('https://sqlite.org/lang.html', 'SQL as SQLite understands it', '["sqlite","reference"]'),
     ('https://developer.mozilla.org/docs/Web/HTTP', 'HTTP on MDN', '["http","reference"]')`,
];

/** Opens the database and brings it up to date. `:memory:` keeps nothing. */
export function openDatabase(file: string): DatabaseSync {
  mkdirSync(dirname(file), { recursive: true });
  const database = new DatabaseSync(file);
  const applied = Number(database.prepare("PRAGMA user_version").get()?.user_version);
  for (const [index, migration] of MIGRATIONS.entries()) {
    if (index < applied) continue;
    database.exec(`BEGIN; ${migration}; PRAGMA user_version = ${index + 1}; COMMIT`);
  }
  return database;
}
