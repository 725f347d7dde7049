import { getMigrations } from "better-auth/db/migration";
import { auths } from "./auth.ts";
import { db } from "./db.ts";

/** Only ever added to. */
const migrations = [
  `CREATE TABLE notes (
     id INTEGER PRIMARY KEY,
     user_id TEXT NOT NULL REFERENCES user (id) ON DELETE CASCADE,
     text TEXT NOT NULL CHECK (length(text) BETWEEN 1 AND 2000),
     created_at TEXT NOT NULL DEFAULT (strftime('%Y-%m-%dT%H:%M:%fZ', 'now'))
   ) STRICT;
   CREATE INDEX notes_of_user ON notes (user_id, id);`,
];

// Tables of accounts (`user`, `session`, …) are better-auth's own; those above refer to them.
await (await getMigrations(auths.http.options)).runMigrations();

const { user_version: at } = db.prepare("PRAGMA user_version").get() as { user_version: number };
for (let next = at; next < migrations.length; next++) {
  db.exec("BEGIN IMMEDIATE");
  try {
    db.exec(migrations[next]!);
    db.exec(`PRAGMA user_version = ${next + 1}`);
    db.exec("COMMIT");
  } catch (error) {
    db.exec("ROLLBACK");
    throw error;
  }
}

/** The database once it has its tables: for queries that are prepared when the app starts. */
export { db };
