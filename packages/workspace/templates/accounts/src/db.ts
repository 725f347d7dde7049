import { mkdirSync } from "node:fs";
import { dirname } from "node:path";
import { migrate } from "./migrate.ts";

// Node has SQLite of its own from 22.13 on. Before that a package with the same interface takes its place.
const { DatabaseSync } = await import("node:sqlite").catch(
  () => import("@photostructure/sqlite") as unknown as Promise<typeof import("node:sqlite")>,
);

const file = process.env.DATABASE_FILE ?? "data/app.db";
if (file !== ":memory:") mkdirSync(dirname(file), { recursive: true });

/** The one database: accounts, sessions, limits of tries, and what people keep here. Its tables stand in `migrations/`. */
export const db = new DatabaseSync(file);
db.exec("PRAGMA journal_mode = WAL; PRAGMA busy_timeout = 5000; PRAGMA synchronous = NORMAL;");
migrate(db);
