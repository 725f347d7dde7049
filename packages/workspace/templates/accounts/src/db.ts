import { mkdirSync } from "node:fs";
import { dirname } from "node:path";
import { DatabaseSync } from "node:sqlite";

const file = process.env.DATABASE_FILE ?? "data/app.db";
if (file !== ":memory:") mkdirSync(dirname(file), { recursive: true });

/** The one database: accounts, sessions, limits of tries, and what people keep here. Its tables are in `tables.ts`. */
export const db = new DatabaseSync(file);
db.exec(
  "PRAGMA journal_mode = WAL; PRAGMA foreign_keys = ON; PRAGMA busy_timeout = 5000; PRAGMA synchronous = NORMAL;",
);
