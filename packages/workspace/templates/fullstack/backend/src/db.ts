import pg from "pg";

try {
  process.loadEnvFile();
} catch {
  // There is no .env: the environment itself says all.
}
const { env } = process;

/** The one database. DATABASE_URL comes first, then PG…, then DB_… of `.env`. */
export const pool = new pg.Pool({
  max: 5,
  ...(env.DATABASE_URL
    ? { connectionString: env.DATABASE_URL }
    : {
        host: env.PGHOST ?? env.DB_HOST ?? "localhost",
        port: Number(env.PGPORT ?? env.DB_PORT ?? 5432),
        user: env.PGUSER ?? env.DB_USERNAME ?? "app",
        password: env.PGPASSWORD ?? env.DB_PASSWORD ?? "app",
        database: env.PGDATABASE ?? env.DB_NAME ?? "app",
      }),
});
pool.on("error", (error) => console.error(error.message));

/** Rows of one statement; values are `$1`, `$2`, … */
export const rows = async <Row extends object>(sql: string, ...values: unknown[]) =>
  (await pool.query<Row>(sql, values)).rows;
