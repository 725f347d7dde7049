import { createHash } from "node:crypto";
import { existsSync, readFileSync, readdirSync } from "node:fs";
import { pool } from "./db.ts";

const LIST = "treadle_migrations";
/** Of the lock that lets one process at a time migrate. */
const LOCK = 4_872;

/** Runs what is new of `migrations/`, and `seed.sql` once where nothing is published: whoever starts the app, and in one list. */
export async function migrate(): Promise<void> {
  const client = await pool.connect();
  try {
    await client.query("SELECT pg_advisory_lock($1)", [LOCK]);
    await client.query(
      `CREATE TABLE IF NOT EXISTS ${LIST} (number bigint PRIMARY KEY, name text NOT NULL, digest text NOT NULL, at timestamptz NOT NULL DEFAULT now())`,
    );
    const ran = await client.query<{ number: string }>(`SELECT number FROM ${LIST}`);
    const numbers = new Set(ran.rows.map(({ number }) => Number(number)));
    const files = readdirSync("migrations")
      .filter((name) => /^\d+.*\.sql$/.test(name))
      .sort()
      .map((name) => ({ number: Number.parseInt(name, 10), name, path: `migrations/${name}` }));
    if (process.env.NODE_ENV !== "production" && existsSync("seed.sql"))
      files.push({ number: -1, name: "seed.sql", path: "seed.sql" });
    for (const { number, name, path } of files) {
      if (numbers.has(number)) continue;
      const sql = readFileSync(path, "utf8");
      const digest = createHash("sha256").update(sql).digest("hex");
      await client.query("BEGIN");
      try {
        const results = [await client.query(sql)].flat();
        // Example rows that are yet to be written would never run if their file were listed already.
        if (number < 0 && !results.some(({ command }) => command)) {
          await client.query("ROLLBACK");
          continue;
        }
        await client.query(`INSERT INTO ${LIST} (number, name, digest) VALUES ($1, $2, $3)`, [
          number,
          name,
          digest,
        ]);
        await client.query("COMMIT");
      } catch (error) {
        await client.query("ROLLBACK");
        throw new Error(`${path}: ${(error as Error).message}`, { cause: error });
      }
    }
  } finally {
    client.release(true);
  }
}
