import { MIGRATION_FOLDERS, NUMBERED, POSTGRES_CLIENTS } from "@treadle/workspace";

/** What the script is called that runs an app's migrations in a container, where no Treadle does. */
export const MIGRATE_SCRIPT = "treadle-migrate.mjs";

/**
 * A script without dependencies that runs what is new of an app's migrations on its SQLite database before the app starts, as
 * Treadle does and in the same list. It leaves alone what the app runs itself, and PostgreSQL.
 * @param file of the database, where nothing in its environment names another
 */
export const migrateScript = (
  file: string,
): string => `// Written by Treadle: runs what is new of migrations/ on the SQLite database before the app starts.
import { createHash } from "node:crypto";
import { mkdirSync, readdirSync, readFileSync } from "node:fs";
import { dirname } from "node:path";
import { DatabaseSync } from "node:sqlite";

const FILE = process.env.DATABASE_FILE || ${JSON.stringify(file)};
const FOLDERS = ${JSON.stringify(MIGRATION_FOLDERS)};
const NUMBERED = ${String(NUMBERED)};
const CLIENTS = ${JSON.stringify(POSTGRES_CLIENTS)};

const read = (path) => {
  try {
    return readFileSync(path, "utf8");
  } catch {
    return "";
  }
};
const list = (path) => {
  try {
    return readdirSync(path, { withFileTypes: true });
  } catch {
    return [];
  }
};
const json = (path) => JSON.parse(read(path) || "{}");

function usesPostgres() {
  if (process.env.DATABASE_FILE) return false;
  const { database } = json("treadle.json");
  if (database) return database === "postgres";
  const { dependencies = {}, devDependencies = {} } = json("package.json");
  return CLIENTS.some((name) => name in dependencies || name in devDependencies);
}

/** Sources that read migrations themselves keep a list of their own, unless it is this one. */
function runsItsOwn() {
  let reads = false;
  const folders = ["."];
  for (let folder; (folder = folders.pop()); )
    for (const entry of list(folder)) {
      const path = folder + "/" + entry.name;
      if (entry.isDirectory() && !/^(?:node_modules|\\..*|dist|build|out|data)$/.test(entry.name)) folders.push(path);
      if (!entry.isFile() || !/\\.[mc]?[jt]sx?$/.test(entry.name) || entry.name === "${MIGRATE_SCRIPT}") continue;
      const text = read(path);
      if (text.includes("treadle_migrations")) return false;
      reads ||= /["'\`][^"'\`]*\\bmigrations\\b/.test(text);
    }
  return reads;
}

const files = FOLDERS.flatMap((folder) =>
  list(folder)
    .filter((entry) => entry.isFile() && NUMBERED.test(entry.name))
    .map(({ name }) => ({ number: Number(NUMBERED.exec(name)[1]), name, path: folder + "/" + name })),
).sort((a, b) => a.number - b.number);

if (files.length > 0 && !usesPostgres() && !runsItsOwn()) {
  mkdirSync(dirname(FILE), { recursive: true });
  const db = new DatabaseSync(FILE, { timeout: 5000, enableForeignKeyConstraints: false });
  db.exec("PRAGMA journal_mode = WAL");
  db.exec(
    "CREATE TABLE IF NOT EXISTS treadle_migrations (number INTEGER PRIMARY KEY, name TEXT NOT NULL, digest TEXT NOT NULL, at TEXT NOT NULL DEFAULT (strftime('%Y-%m-%dT%H:%M:%fZ', 'now')))",
  );
  const ran = db.prepare("SELECT name, digest FROM treadle_migrations WHERE number = ?");
  const keep = db.prepare("INSERT INTO treadle_migrations (number, name, digest) VALUES (?, ?, ?)");
  for (const { number, name, path } of files) {
    const sql = readFileSync(path);
    const digest = createHash("sha256").update(sql).digest("hex");
    const before = ran.get(number);
    if (before && before.digest !== digest) throw new Error(path + " is not what has run as " + before.name + ": nothing was started.");
    if (before) continue;
    db.exec("BEGIN IMMEDIATE");
    try {
      db.exec(sql.toString());
      const broken = db.prepare("PRAGMA foreign_key_check").get();
      if (broken) throw new Error("a row of " + broken.table + " would belong to one of " + broken.parent + " that is not there");
      keep.run(number, name, digest);
      db.exec("COMMIT");
    } catch (error) {
      if (db.isTransaction) db.exec("ROLLBACK");
      throw new Error(path + ": " + error.message);
    }
    console.log("Ran " + path);
  }
  db.close();
}
`;
