import { DatabaseError, escapeIdentifier } from "pg";
import { connectPostgres, queryRows, refuseTransaction } from "./connect-postgres.ts";
import { keepCopy } from "./postgres-dump.ts";
import { splitSql, type Statement } from "./split-sql.ts";
import type { Applied } from "@treadle/workspace/data-conventions";
import { SqlFailure, type AppDatabase, type Result } from "./types.ts";

const TABLE = "treadle_migrations";

/**
 * Opens the app's PostgreSQL database, at the address in its environment.
 * @param root of the project, for copies before a change; absent: none are saved
 * @throws Error if it is unreachable
 */
export async function openPostgres(root?: string): Promise<AppDatabase> {
  const client = await connectPostgres();

  async function inTransaction<T>(work: () => Promise<T>): Promise<T> {
    await client.query("BEGIN");
    try {
      const made = await work();
      await client.query("COMMIT");
      return made;
    } catch (error) {
      await client.query("ROLLBACK");
      throw error;
    }
  }

  async function runStatement(statement: Statement, mostRows: number): Promise<Result> {
    refuseTransaction(statement);
    try {
      const result = await queryRows(client, statement.sql);
      if (result.fields.length === 0) return { changed: result.rowCount ?? undefined };
      return {
        columns: result.fields.map(({ name }) => name),
        rows: result.rows.slice(0, mostRows),
        more: result.rows.length > mostRows,
      };
    } catch (error) {
      throw failureOf(error as Error, statement);
    }
  }

  const ownTables = async () => {
    const { rows } = await queryRows(
      client,
      "SELECT schemaname, tablename FROM pg_tables WHERE schemaname NOT IN ('pg_catalog', 'information_schema') AND schemaname NOT LIKE 'before\\_reset\\_%'",
    );
    return (rows as [string, string][])
      .filter(([, name]) => name !== TABLE)
      .map((names) => names.map(escapeIdentifier).join("."));
  };

  return {
    name: "PostgreSQL",
    async applied() {
      const { rows: there } = await queryRows(client, "SELECT to_regclass($1)", [TABLE]);
      if (there[0]?.[0] == null) return [];
      const { rows } = await queryRows(
        client,
        `SELECT number, name, digest FROM ${TABLE} ORDER BY number`,
      );
      return rows.map(([number, name, digest]): Applied => ({
        number: Number(number),
        name: String(name),
        digest: String(digest),
      }));
    },
    async apply({ number, name, digest, sql }) {
      await inTransaction(async () => {
        for (const statement of splitSql(sql, "postgres")) await runStatement(statement, 0);
        // A migration may have changed the search path (dumps clear it): reset it for the records,
        // and for the following files.
        await client.query("RESET ALL");
        await client.query(
          `CREATE TABLE IF NOT EXISTS ${TABLE} (number bigint PRIMARY KEY, name text NOT NULL, digest text NOT NULL, at timestamptz NOT NULL DEFAULT now())`,
        );
        await client.query(`INSERT INTO ${TABLE} (number, name, digest) VALUES ($1, $2, $3)`, [
          number,
          name,
          digest,
        ]);
      }).catch((error: unknown) => {
        // A deferred constraint fails without a statement of its own.
        throw error instanceof DatabaseError ? new SqlFailure(error.message, 1) : error;
      });
    },
    async isEmpty() {
      for (const table of await ownTables()) {
        const { rows } = await queryRows(client, `SELECT 1 FROM ${table} LIMIT 1`);
        if (rows.length > 0) return false;
      }
      return true;
    },
    keepCopy: async (called) => (root === undefined ? undefined : keepCopy(root, called)),
    async reset() {
      const schema = `before_reset_${new Date().toISOString().slice(0, 19).replaceAll(/\D/g, "")}`;
      await inTransaction(async () => {
        await client.query(`ALTER SCHEMA public RENAME TO ${schema}`);
        await client.query("CREATE SCHEMA public");
      });
      return `the schema ${schema}`;
    },
    async query(sql, mostRows) {
      const statements = splitSql(sql, "postgres");
      const run = async () => {
        const results: Result[] = [];
        for (const statement of statements) results.push(await runStatement(statement, mostRows));
        return results;
      };
      return statements.length > 1 ? inTransaction(run) : run();
    },
    close: () => client.end(),
  };
}

function failureOf(error: Error, { sql, line }: Statement): SqlFailure {
  if (!(error instanceof DatabaseError)) return new SqlFailure(error.message, line);
  // PostgreSQL counts characters from 1; a failed constraint has no position.
  const before = sql.slice(0, Math.max(0, Number(error.position ?? 1) - 1));
  const more = [error.detail, error.hint].filter((one) => one !== undefined);
  return new SqlFailure([error.message, ...more].join(" — "), line + before.split("\n").length - 1);
}
