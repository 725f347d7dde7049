import { createHash } from "node:crypto";
import { readdirSync, readFileSync } from "node:fs";
import type { DatabaseSync } from "node:sqlite";

const FOLDER = "migrations";

/**
 * Runs what is new of migrations/0001_name.sql, … in the order of the numbers, each in a transaction. What has run is listed
 * in `treadle_migrations`, as Treadle lists it, which runs them too: each runs once.
 * @throws Error where one fails, of which nothing is kept then, or was changed after it had run
 */
export function migrate(db: DatabaseSync): void {
  db.exec(
    "CREATE TABLE IF NOT EXISTS treadle_migrations (number INTEGER PRIMARY KEY, name TEXT NOT NULL, digest TEXT NOT NULL, at TEXT NOT NULL DEFAULT (strftime('%Y-%m-%dT%H:%M:%fZ', 'now')))",
  );
  const ran = db.prepare("SELECT digest FROM treadle_migrations WHERE number = ?");
  const keep = db.prepare("INSERT INTO treadle_migrations (number, name, digest) VALUES (?, ?, ?)");
  const files = readdirSync(FOLDER)
    .filter((name) => /^\d+.*\.sql$/.test(name))
    .map((name) => ({ name, number: Number.parseInt(name, 10) }))
    .sort((a, b) => a.number - b.number);
  // A table that is made anew is dropped in between, which would take along the rows that refer to it.
  db.exec("PRAGMA foreign_keys = OFF");
  try {
    for (const { name, number } of files) {
      const sql = readFileSync(`${FOLDER}/${name}`, "utf8");
      const digest = createHash("sha256").update(sql).digest("hex");
      const before = ran.get(number) as { digest: string } | undefined;
      if (before && before.digest !== digest)
        throw new Error(`${FOLDER}/${name} was changed after it had run: write what is new into the next number.`);
      if (before) continue;
      db.exec("BEGIN IMMEDIATE");
      try {
        db.exec(sql);
        keep.run(number, name, digest);
        db.exec("COMMIT");
      } catch (error) {
        db.exec("ROLLBACK");
        throw new Error(`${FOLDER}/${name}: ${(error as Error).message}`);
      }
    }
  } finally {
    db.exec("PRAGMA foreign_keys = ON");
  }
}
