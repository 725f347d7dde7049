import { MIGRATION_FOLDERS, NUMBERED, POSTGRES_CLIENTS } from "@treadle/workspace";

/** Name of the script that runs an app's migrations in a container without Treadle. */
export const MIGRATE_SCRIPT = "treadle-migrate.mjs";

/**
 * A script that runs new migrations on the app's database before the app starts, in the same way
 * and with the same list as Treadle. SQLite needs nothing beside Node; for PostgreSQL it uses the
 * app's own client, at `DATABASE_URL` or `PGHOST` and the like. It leaves migrations alone that the
 * app runs itself.
 * @param file path of the SQLite database, unless the environment names another
 */
export const migrateScript = (
  file: string,
): string => `// Written by Treadle: runs what is new of migrations/ on the app's database before the app starts.
import { createHash } from "node:crypto";
import { mkdirSync, readdirSync, readFileSync } from "node:fs";
import { createRequire } from "node:module";
import { dirname, resolve } from "node:path";

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

const subfolders = (folder) =>
  list(folder)
    .filter((entry) => entry.isDirectory() && !/^(?:\\.|node_modules$)/.test(entry.name))
    .map(({ name }) => folder + "/" + name);

/** Finds the app's PostgreSQL client: in its folder, or at most two levels below. */
function clientsIn() {
  const below = subfolders(".");
  return [".", ...below, ...below.flatMap(subfolders)].flatMap((folder) => {
    const { dependencies = {}, devDependencies = {} } = json(folder + "/package.json");
    return CLIENTS.filter((name) => name in dependencies || name in devDependencies).map((name) => ({ folder, name }));
  });
}

function usesPostgres() {
  if (process.env.DATABASE_FILE) return false;
  const { database } = json("treadle.json");
  return database ? database === "postgres" : clientsIn().length > 0;
}

/** Whether the sources run migrations themselves, with another list than this one. */
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

const hasNumbered = (folder) => list(folder).some((entry) => entry.isFile() && NUMBERED.test(entry.name));
/** Treadle's own folders; else the only folder, at most two levels below, with migrations. */
function migrationFolders() {
  const usual = FOLDERS.filter(hasNumbered);
  if (usual.length > 0) return usual;
  const below = subfolders(".").filter((folder) => !["./dist", "./build", "./out", "./data"].includes(folder));
  const inner = [...below, ...below.flatMap(subfolders)].map((folder) => folder.slice(2) + "/migrations").filter(hasNumbered);
  return inner.length === 1 ? inner : [];
}

const files = migrationFolders().flatMap((folder) =>
  list(folder)
    .filter((entry) => entry.isFile() && NUMBERED.test(entry.name))
    .map(({ name }) => ({ number: Number(NUMBERED.exec(name)[1]), name, path: folder + "/" + name })),
).sort((a, b) => a.number - b.number);

/** Decodes UTF-16 by its mark, which PostgreSQL would take for a letter. */
const textOf = (bytes) => new TextDecoder(bytes[0] === 255 ? "utf-16le" : bytes[0] === 254 ? "utf-16be" : "utf-8").decode(bytes);

/**
 * Runs the new files in order.
 * @param before the migrations that have run, by number
 */
async function runNew(before, run) {
  for (const { number, name, path } of files) {
    const sql = readFileSync(path);
    const digest = createHash("sha256").update(sql).digest("hex");
    const known = await before(number);
    if (known && known.digest !== digest) throw new Error(path + " is not what has run as " + known.name + ": nothing was started.");
    if (known) continue;
    await run({ number, name, digest, sql: textOf(sql) }).catch((error) => {
      throw new Error(path + ": " + error.message);
    });
    console.log("Ran " + path);
  }
}

async function onSqlite() {
  const { DatabaseSync } = await import("node:sqlite");
  mkdirSync(dirname(FILE), { recursive: true });
  const db = new DatabaseSync(FILE, { timeout: 5000, enableForeignKeyConstraints: false });
  db.exec("PRAGMA journal_mode = WAL");
  db.exec(
    "CREATE TABLE IF NOT EXISTS treadle_migrations (number INTEGER PRIMARY KEY, name TEXT NOT NULL, digest TEXT NOT NULL, at TEXT NOT NULL DEFAULT (strftime('%Y-%m-%dT%H:%M:%fZ', 'now')))",
  );
  const ran = db.prepare("SELECT name, digest FROM treadle_migrations WHERE number = ?");
  const keep = db.prepare("INSERT INTO treadle_migrations (number, name, digest) VALUES (?, ?, ?)");
  /** Rows with a broken foreign key. The app may have left some itself. */
  const broken = () => db.prepare('SELECT "table" AS of, parent, count(*) AS rows FROM pragma_foreign_key_check GROUP BY 1, 2').all();
  await runNew(
    (number) => ran.get(number),
    async ({ number, name, digest, sql }) => {
      db.exec("BEGIN IMMEDIATE");
      try {
        const before = broken();
        db.exec(sql);
        const more = broken().find(
          ({ of, parent, rows }) => rows > (before.find((one) => one.of === of && one.parent === parent)?.rows ?? 0),
        );
        if (more) throw new Error("a row of " + more.of + " would belong to one of " + more.parent + " that is not there");
        keep.run(number, name, digest);
        db.exec("COMMIT");
      } catch (error) {
        if (db.isTransaction) db.exec("ROLLBACK");
        throw error;
      }
    },
  );
  db.close();
}

/** Connects with the app's client, or with the one on which its client is based. */
async function connect() {
  const { DATABASE_URL: url, PGHOST } = process.env;
  if (!url && !PGHOST) throw new Error("Nothing says where PostgreSQL is, so its migrations cannot run: give DATABASE_URL, or PGHOST, PGUSER, PGDATABASE and PGPASSWORD.");
  for (const { folder, name } of clientsIn()) {
    const near = createRequire(resolve(folder, "package.json"));
    const requires = [near];
    try {
      requires.push(createRequire(near.resolve(name)));
    } catch {}
    for (const require of requires) {
      let found;
      try {
        found = { pg: require("pg") };
      } catch {
        try {
          found = { postgres: require("postgres") };
        } catch {
          continue;
        }
      }
      if (found.pg) {
        const client = new found.pg.Client(url ? { connectionString: url } : {});
        client.on("error", () => {});
        await client.connect().catch((error) => {
          throw new Error("PostgreSQL cannot be reached: " + error.message);
        });
        return { query: async (sql, values) => (await client.query(sql, values)).rows, end: () => client.end() };
      }
      const options = { max: 1, onnotice() {} };
      const sql = url ? found.postgres(url, options) : found.postgres(options);
      return { query: (text, values) => sql.unsafe(text, values), end: () => sql.end() };
    }
  }
}

async function onPostgres() {
  const db = await connect();
  if (!db) {
    console.log("Migrations were left to the app: neither pg nor postgres is installed, which would run them.");
    return;
  }
  try {
    // Two containers that start at once take turns. The number identifies this script.
    await db.query("SELECT pg_advisory_lock(7291845)");
    await db.query(
      "CREATE TABLE IF NOT EXISTS treadle_migrations (number bigint PRIMARY KEY, name text NOT NULL, digest text NOT NULL, at timestamptz NOT NULL DEFAULT now())",
    );
    await runNew(
      async (number) => (await db.query("SELECT name, digest FROM treadle_migrations WHERE number = $1", [number]))[0],
      async ({ number, name, digest, sql }) => {
        await db.query("BEGIN");
        try {
          await db.query(sql);
          // Undoes settings such as a changed search path before the next statement.
          await db.query("RESET ALL");
          await db.query("INSERT INTO treadle_migrations (number, name, digest) VALUES ($1, $2, $3)", [number, name, digest]);
          await db.query("COMMIT");
        } catch (error) {
          await db.query("ROLLBACK");
          throw error;
        }
      },
    );
  } finally {
    await db.end();
  }
}

if (files.length > 0 && !runsItsOwn())
  await (usesPostgres() ? onPostgres() : onSqlite()).catch((error) => {
    console.error(error.message);
    process.exitCode = 1;
  });
`;
